"""From human judgments to a ranking of systems: models of preference, ranges and clusters."""

from rankwise.aggregate.models.bradley_terry import BradleyTerry as BradleyTerry
from rankwise.aggregate.models.expected_wins import ExpectedWins as ExpectedWins
from rankwise.aggregate.models.fligner_verducci import FlignerVerducci as FlignerVerducci
from rankwise.aggregate.models.hopkins_may import HopkinsMay as HopkinsMay
from rankwise.aggregate.models.outcomes import Outcomes as Outcomes
from rankwise.aggregate.models.preference_model import CountModel as CountModel
from rankwise.aggregate.models.preference_model import Model as Model
from rankwise.aggregate.models.trueskill import TrueSkill as TrueSkill
from rankwise.aggregate.recipes import RECIPES as RECIPES
from rankwise.aggregate.recipes import recipe_runs as recipe_runs

#: Every model by its name.
MODELS: dict[str, type[Model]] = {
    ExpectedWins.name: ExpectedWins,
    BradleyTerry.name: BradleyTerry,
    FlignerVerducci.name: FlignerVerducci,
    HopkinsMay.name: HopkinsMay,
    TrueSkill.name: TrueSkill,
}
