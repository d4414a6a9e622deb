"""Reading and writing: one module per format, sniffing in one place.

Names are loaded when they are first used: whoever reads text files does not wait for XML.
"""

from typing import TYPE_CHECKING

from rankwise._lazy import lazy_names

if TYPE_CHECKING:
    from rankwise.io.assessment_files import read_assessments as read_assessments
    from rankwise.io.assessment_files import write_assessments as write_assessments
    from rankwise.io.conversion import ConversionReport as ConversionReport
    from rankwise.io.conversion import convert as convert
    from rankwise.io.format_table import FORMATS as FORMATS
    from rankwise.io.format_table import Format as Format
    from rankwise.io.format_table import find_format as find_format
    from rankwise.io.formats.testsets.text_files import read_parallel as read_parallel
    from rankwise.io.judgment_files import read_judgments as read_judgments
    from rankwise.io.judgment_files import write_judgments as write_judgments
    from rankwise.io.kept.score_cache import ScoreCache as ScoreCache
    from rankwise.io.learned.feature_cache import FeatureCache as FeatureCache
    from rankwise.io.score_files import read_scores as read_scores
    from rankwise.io.score_files import write_scores as write_scores
    from rankwise.io.sniffing import sniff as sniff
    from rankwise.io.study import read_study as read_study
    from rankwise.io.study_files import StudyFiles as StudyFiles
    from rankwise.io.testset_files import read_testset as read_testset
    from rankwise.io.testset_files import write_testset as write_testset
else:
    __getattr__, __dir__ = lazy_names(__name__)
