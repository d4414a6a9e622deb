"""Short lists of function words: articles, pronouns, prepositions, conjunctions, auxiliaries.

METEOR gives these words less weight than content words. The lists are our own: the closed-class
words that make up much of any text in the language, in the form a lower-cased, tokenised text shows
them, punctuation included. A language without a list has no function words.
"""

from collections.abc import Mapping

_MARKS = ". , : ; ? ! ' \" ( ) - – — … ... « » “ ” „ ‘ ’ %"

_WORDS = {
    "en": """
        the a an this that these those
        i you he she it we they me him her us them my your his its our their who which what
        of to in on at by for with from as into about after before over up out than between under
        and or but if so because while when where there
        is are was were be been being am have has had do does did
        will would can could may should must not no 's 't n't also more all some other
    """,
    "de": """
        der die das den dem des ein eine einen einem einer eines dieser diese dieses diesen diesem
        ich du er sie es wir ihr ihn ihm ihnen uns sich mein sein seine seinen seiner ihre ihren
        ihrem ihrer man wer was
        in im ins an am auf aus bei beim bis durch für gegen mit nach ohne seit über um unter von
        vom vor zu zum zur zwischen
        und oder aber denn dass daß weil wenn als wie ob auch so
        ist sind war waren sei bin hat haben hatte hatten wird werden wurde wurden kann können
        soll muss nicht kein keine nur noch mehr da
    """,
    "fr": """
        le la les l' un une des du de d' au aux ce cet cette ces
        je j' tu il elle nous vous ils elles on me m' te t' se s' lui leur y en
        mon ma mes ton son sa ses notre votre leurs qui que qu' dont où quoi
        à dans par pour sur avec sans sous entre vers chez depuis après avant
        et ou mais si car comme donc lorsque quand
        est sont était étaient être été ai a as ont avait avaient avoir fait peut
        ne n' pas plus c' aussi même tout tous
    """,
    "es": """
        el la los las un una unos unas lo al del este esta estos estas ese esa eso esto
        yo tú él ella nosotros ellos ellas usted me te se le les nos mi su sus tu nuestro
        que quien qué cual donde
        a de en por para con sin sobre entre desde hasta hacia tras según
        y e o u pero si porque como cuando aunque ni
        es son era eran fue ser está están estar ha han había haber hay puede
        no más ya también muy todo todos
    """,
    "cs": """
        ten ta to ti ty tento tato toto ty tyto tom toho tím tomu těch
        já ty on ona ono my vy oni mě mi mu ho ji jí jej jeho její jejich nás nám vás vám
        se si sebe svůj své svou který která které kteří kterou kdo co což
        v ve na z ze s se k ke o u do od po pro při před pod za mezi bez nad
        a i ale nebo že aby když jako než protože pokud tak však ani
        je jsou byl byla bylo byli být bude budou jsem jsi jsme jste by bych má mají může
        ne není už také jen ještě až
    """,
    "ru": """
        я ты он она оно мы вы они меня мне его ему её ей нас нам вас вам их им ими себя
        этот эта это эти того тот та те то свой своей своих который которая которые что кто
        в во на с со к ко о об от до из за по под при для без у над между через
        и а но или если что чтобы как когда же ли бы так то
        был была было были быть есть будет будут может
        не ни нет уже также только ещё еще все всё
    """,
}

#: The built-in list of every language that has one.
FUNCTION_WORDS: Mapping[str, frozenset[str]] = {
    language: frozenset(f"{words} {_MARKS}".split()) for language, words in _WORDS.items()
}


def function_words(language: str) -> frozenset[str]:
    """The built-in function words of a language, none where there is no list.

    >>> "the" in function_words("en"), "der" in function_words("de"), function_words("it")
    (True, True, frozenset())
    """
    return FUNCTION_WORDS.get(language, frozenset())
