"""Chinese and Japanese with what breaks lines wrongly: punctuation, brackets, digits, Latin."""

from browser.campaign_server import SYSTEMS
from rankwise.types import Segment, TestSet

SOURCE = (
    "The museum's new wing opens on 3 May 2027: visitors pay €12.50, and children under 7 get in "
    'free ("with an adult", says the director).'
)
CHINESE = (
    "博物馆的新翼楼将于2027年5月3日开放：参观者需支付12.50欧元，7岁以下儿童免费入场（馆长说：“须有成人陪同”）。",
    "该博物馆的新侧厅于2027年5月3日开幕；门票为€12.50，七岁以下的孩子可免费进入（“由大人陪同”，馆长说）。",
    "博物馆新的翅膀打开2027年5月3日：访客付€12.50，和7岁下孩子们得到里面自由（“与一个成人”，导演说）。",
    "新展馆2027年5月3日开放，参观者付12.50欧元。",
    "博物馆的新翼楼将于2027年3月5日开放：参观者需支付12.50美元，7岁以下儿童免费入场（馆长说：“须有成人陪同”）。",
)
JAPANESE = (
    "美術館の新館は2027年5月3日にオープンします。入場料は12.50ユーロで、7歳未満の子どもは無料です（館長によれば「大人の同伴が必要」とのこと）。",
    "博物館の新しい翼が2027年5月3日に開館する：来館者は€12.50を支払い、7歳未満の子供は無料（「大人と一緒に」と館長は言う）。",
    "博物館の新しい羽は2027年5月3日に開く：訪問者は€12.50を払う、そして7の下の子供は自由に入る（「大人と」、監督は言う）。",
    "新館は2027年5月3日オープン。入場料12.50ユーロ。",
    "美術館の新館は2027年3月5日にオープンします。入場料は12.50ドルで、7歳未満の子どもは無料です（館長によれば「大人の同伴が必要」とのこと）。",
)


def testset_of(language: str) -> TestSet:
    """English into Chinese (zh) or Japanese (ja); one segment again and again."""
    texts = {"zh": CHINESE, "ja": JAPANESE}[language]
    segments = tuple(Segment(str(number), SOURCE, (texts[0],), "news") for number in range(1, 13))
    outputs = {name: (text,) * 12 for name, text in zip(SYSTEMS, texts, strict=False)}
    return TestSet(segments, outputs, language, "en", language)
