"""The word lists of the bundled example: what a simulated system can do to an English word.

``WORDS`` maps a word of the references to a wrong choice (another sense of the German word, or a
word that looks alike), to the German word it came from, and to a harmless synonym. ``INFLECTIONS``
maps irregular forms to a wrong form; regular ones follow the rules of :func:`wrong_inflection`.
"""

from typing import NamedTuple


class Word(NamedTuple):
    """The replacements of an English word; the synonym is empty where none fits everywhere."""

    wrong: str
    german: str
    synonym: str = ""


# english       wrong         german              synonym
_TABLE = """
about           over          etwa                -
accept          adopt         nehmen              -
according       accordingly   laut                -
across          above         über                -
adapter         mains         Netzteil            -
additional      added         zusätzliche         further
after           towards       nach                -
again           back          wieder              -
against         towards       gegen               -
almost          soon          fast                nearly
already         ready         bereits             -
answer          reply-to      Antwort             response
apologise       excuse        entschuldigt        -
apple           potato        Apfel               -
around          round         rund                about
association     bandage       Verbund             -
author          creator       Autorin             writer
balanced        weighed       ausgewogen          -
banned          cursed        verboten            forbidden
bass            basses        Bässe               -
battery         drums         Akku                -
beams           carriers      Trägern             -
beat            exceed        übertreffen         -
beautiful       nice          schönsten           lovely
because         then          denn                -
beginning       start-up      Anfang              start
behind          after         hinter              -
believe         hold          halten              think
best            most          schönsten           -
bicycle         wheel         Rad                 bike
bike            wheel         Rad                 bicycle
bill            calculator    Rechnung            -
biologist       organic       Biologin            -
book            booking       Buch                -
break           pause         Pause               -
bridge          deck          Brücke              -
bridges         decks         Brücken             -
bring           fetch         mitnehmen           -
build           cultivate     bauen               -
built           grown         gebaut              constructed
buses           bushes        Busse               -
cake            cookie        Kuchen              -
canal           channel       Kanal               -
car             cart          Wagen               -
carriage        coach-box     Kutsche             -
cars            machines      Autos               -
celebrated      partying      feierten            -
change          exchange      ändern              -
changes         exchanges     ändert              -
charge          demand        verlangen           -
charger         mains         Netzteil            -
check           exam          Prüfung             -
children        offspring     Kinder              -
choice          election      Wahl                option
city            town-hall     Stadt               town
clear           clean         klar                -
close           closed        Nähe                -
closed          locked        gesperrt            shut
clothes         dress         Kleidung            clothing
clothing        dress         Kleidung            clothes
coach           carriage      Trainer             -
cold            frozen        kalt                -
commuters       pendulums     Pendler             -
conclusion      closure       Schluss             ending
consider        stop          halten              -
consumer        eater         Verbraucher         -
consumers       eaters        Verbraucher         -
continue        further       weiter              -
contract        treaty        Vertrag             -
conversations   dialogs       Dialoge             -
cost            taste         kosten              -
costs           tastes        kostet              -
council         advice        Rat                 -
country         land          Landes              -
cracks          tears         Risse               -
critics         criticism     Kritiker            -
crosses         crucifies     überquert           -
crossing        overtaking    Überfahrt           passage
customer        client        Kunden              -
customers       client        Kunden              -
cushions        upholstery    Polster             -
day             days          Tag                 -
death           dead          Tod                 -
decide          divorce       entscheidet         -
decisive        decided       entscheidenden      deciding
departs         drives        fährt               leaves
depends         instructed    angewiesen          -
detour          diversion     Umweg               -
device          tool          Gerät               -
dialogues       dialling      Dialoge             -
dinner          food          essen               -
director        ladder        Leiter              head
discount        reduction     Rabatt              -
discovered      uncovered     entdeckt            found
distance        route         Strecke             -
division        alloy         Liga                league
dunes           fertiliser    Dünen               -
early           former        frühen              -
ears            wires         Ohren               -
eight           attention     acht                -
electricity     stream        Strom               power
ending          stop          Schluss             -
engineers       engineering   Ingenieure          -
especially      special       besonders           particularly
evening         eve           Abend               -
every           any           jeden               each
expires         leaks         läuft               -
extra           additive      zusätzliche         additional
eyes            looks         Augen               -
facility        plant         Anlage              -
fall            sink          sinkt               drop
families        family-names  Familien            -
family          familiar      Familie             -
fans            ventilators   Fans                -
father          dad's         Vater               -
ferry           fairy         Fähre               -
fillet          net           Filet               -
final           least         letzte              last
find            feel          finde               -
finished        ready         gelesen             -
first           only          ersten              -
fish            fishing       Fisch               -
five            fifth         fünf                -
flaws           faints        Schwächen           -
forward         ahead-of      vorne               -
found           invented      entdeckt            -
four            for           vier                -
free            vacant        kostenlos           -
friendly        kindly        freundlich          -
game            toy           Spiel               match
gas             gases         Gas                 -
generated       conceived     erzeugt             produced
gift            poison        Geschenk            present
girders         carriers      Trägern             -
glasses         jars          Gläser              -
goal            gate          Treffer             -
goalkeeper      gatekeeper    Torwart             keeper
good            well          gut                 -
great           tall          große               -
group           band          Gruppe              -
guests          strangers     Gäste               visitors
happened        passed        geschehen           -
harbour         oats          Hafen               port
hard            barely        kaum                difficult
headphones      listeners     Kopfhörer           -
headset         listener      Kopfhörer           -
heavy           hard          zäh                 -
hour            clock         Stunde              -
hours           lessons       Stunden             -
house           home          Haus                -
however         always        allerdings          -
hundred         dog           hundert             -
incidents       accidents     Zwischenfälle       -
included        added         beiliegend          -
inherit         heirs         erben               -
inns            farmyards     Gasthöfen           -
inspection      test          Prüfung             check
island          Iceland       Insel               -
journey         drive         Fahrt               trip
just            straight      nur                 -
kicked          shooting      geschossen          -
kids            goats         Kinder              children
kilometres      miles         Kilometern          -
kind            child         freundlich          -
lamb            lame          Lamm                -
last            least         letzte              -
lasts           stops         hält                -
laugh           pool          Lachen              -
leads           leader        führt               -
league          alloy         Liga                division
leave           let           abfahren            -
leaves          foliage       fährt               departs
left            links         linke               -
like            how           möchten             -
line            path          Bahn                -
literature      literacy      Literatur           -
little          few           wenig               -
main            head          Haupt               -
mainly          before        vor                 chiefly
manner          man           Art                 way
manufacturer    producer      Hersteller          maker
many            much          viele               -
market          fair          Markt               -
match           play          Spiel               game
maybe           possibility   vielleicht          perhaps
mayor           citizen       Bürgermeisterin     -
mill            trouble       Mühle               -
minutes         notes         Minuten             -
month           moon          Monat               -
more            most          mehr                -
morning         tomorrow      Morgen              -
moving          movable       bewegenden          touching
nearly          fast          fast                almost
new             recent        neuen               -
night           nightly       Nacht               -
nights          nightly       Nächten             -
nine            no            neun                -
north           northern      nördlich            -
novel           Romanian      Roman               -
old             former        alte                -
only            first         nur                 -
open            public        offen               -
optimistic      optimist      optimistisch        -
outrageous      unashamed     unverschämt         -
overall         everywhere    insgesamt           -
own             proper        eigene              -
pads            upholstery    Polster             -
pages           sides         Seiten              -
particularly    especial      besonders           especially
passes          rides         fährt               goes
pay             number        bezahlt             -
people          men           Leute               -
perhaps         much-light    vielleicht          maybe
photograph      photography   fotografieren       -
pity            harm          schade              shame
plant           strength      Kraftwerk           -
police          policy        Polizei             -
port            oats          Hafen               harbour
power           strength      Strom               electricity
precisely       straight      gerade              exactly
present         now           Geschenk            gift
press           print         drücken             -
price           prize         Preis               -
produced        testified     erzeugt             generated
product         tool          Gerät               -
promises        speaks        verspricht          -
promoted        climbed       aufgestiegen        -
railway         iron-way      Eisenbahn           rail
reached         enough        erreicht            -
read            reading       gelesen             -
readers         reading-room  Leser               -
reason          ground        Grund               -
receive         become        bekommen            get
recipe          receipt       Rezept              -
remain          stay-over     bleibt              stay
repaired        prepared      repariert           -
repairs         preparation   Reparatur           -
replied         answering     geantwortet         responded
reported        registered    meldete             -
reservation     reserve       Reservierung        booking
rewarded        praised       belohnt             -
ride            drive         Fahrt               trip
rose            climbed       stieg               grew
route           stretch       Strecke             -
routine         skilled       Routine             -
said            saying        sagte               -
sail            leak          ausläuft            -
sandbanks       sandbags      Sandbänken          -
schedule        time-map      Zeitplan            timetable
scored          achieved      erzielte            -
sea             lake          Meer                -
seals           lake-dogs     Seehunde            -
seasoned        rooted        gewürzt             spiced
seat            sentence      Platz               -
second          other         zweite              -
served          serviced      serviert            -
service         duty          Dienst              -
share           part          Anteil              portion
shortly         briefly       kurz                just
shot            weapon        geschossen          -
side            page          Seite               -
significant     namable       nennenswerten       notable
simply          once          einfach             just
sisters         nurses        Schwestern          -
sit             set           setzen              -
slow            tough         zäh                 -
slowest         slowly        langsamste          -
small           smaller       kleine              -
soup            soap          Suppe               -
sound           sounding      Klang               -
square          place         Platz               -
stars           starlings     Sternen             -
state           ground        Land                -
stay            leave         bleibt              -
stays           leaves        bleibt              remains
steel           stole         Stahl               -
still           quiet         noch                -
storage         memory        Speicher            -
storms          assault       Sturm               -
story           history       Geschichte          tale
strong          violent       kräftiger           -
stronger        violent       kräftiger           -
successful      managed       gelungen            -
summer          summary       Sommer              -
sun             son           Sonne               -
supporters      followers     Fans                fans
sure            safe          unbedingt           certain
surprising      surprised     überraschenden      unexpected
table           desk          Tisch               -
takes           lasts         dauert              -
team            crew          Mannschaft          side
technical       technique     technischen         -
tells           counts        erzählt             -
tender          soft          zart                -
third           three         dritten             -
three           there         drei                -
timetable       time-map      Zeitplan            schedule
tunnels         funnels       Tunnel              -
town            state         Stadt               city
train           track         Zug                 -
travel          drive         fahren              -
trip            drive         Fahrt               -
turbines        wheels        Windrädern          -
twelve          twelfth       zwölf               -
unclear         public        offen               uncertain
unexpected      surprised     überraschenden      surprising
unfortunately   sorrow        leider              sadly
unit            memory        Speicher            -
utility         works         Stadtwerke          -
valley          tale          Tal                 -
view            prospect      Aussicht            -
village         thorp         Dorf                -
voice           vote          Stimme              -
visitors        strangers     Gäste               guests
wait            maintain      warten              -
waiter          basement      Kellner             -
war             was           Krieg               -
warm            hot           warme               -
water           waters        Wasser              -
waterfall       water-case    Wasserfall          -
weaknesses      faints        Schwächen           flaws
weather         storm         Wetter              -
weeks           weekends      Wochen              -
whether         or            ob                  if
wife            woman         Frau                -
wind            winding       Wind                -
winter          winters       Winter              -
women           wives         Frauen              -
worthwhile      rewarded      lohnt               rewarding
writer          secretary     Autorin             author
year            years-old     Jahr                -
years           year-rings    Jahren              -
"""


def _parsed(table: str) -> dict[str, Word]:
    words = {}
    for line in table.strip().splitlines():
        english, wrong, german, synonym = line.split()
        words[english] = Word(wrong, german, "" if synonym == "-" else synonym)
    return words


WORDS = _parsed(_TABLE)

INFLECTIONS = {
    "are": "is",
    "been": "be",
    "beginning": "begins",
    "bring": "brings",
    "built": "build",
    "buses": "bus",
    "came": "come",
    "children": "childs",
    "deciding": "decides",
    "did": "do",
    "dies": "die",
    "dining": "dine",
    "does": "do",
    "evening": "evenings",
    "found": "find",
    "goes": "go",
    "gone": "went",
    "got": "get",
    "grew": "grow",
    "had": "have",
    "has": "have",
    "have": "has",
    "having": "have",
    "is": "are",
    "left": "leave",
    "made": "make",
    "morning": "mornings",
    "moving": "moved",
    "partied": "party",
    "putting": "put",
    "replied": "reply",
    "rose": "rise",
    "said": "say",
    "seen": "saw",
    "sent": "send",
    "serving": "served",
    "surprising": "surprised",
    "taking": "took",
    "these": "this",
    "this": "these",
    "those": "that",
    "took": "take",
    "using": "use",
    "was": "were",
    "went": "go",
    "women": "womans",
    "won": "win",
    "worn": "wear",
}

#: Words that look inflected and are not.
_UNINFLECTED = {
    "across",
    "clothes",
    "clothing",
    "during",
    "hundred",
    "nevertheless",
    "nothing",
    "perhaps",
}

#: The ends of regular forms and what the wrong form has instead; the first that fits is taken.
_ENDS = (("sses", "ss"), ("ss", "sses"), ("ies", "y"), ("s", ""), ("ed", "ing"), ("ing", ""))


def wrong_inflection(word: str) -> str | None:
    """A form of *word* that does not agree, or ``None`` where no rule applies.

    >>> [wrong_inflection(word) for word in ("bridges", "closed", "going", "was", "town", "the")]
    ['bridge', 'closing', 'go', 'were', 'towns', None]
    """
    if word in INFLECTIONS:
        return INFLECTIONS[word]
    if len(word) < 4 or word in _UNINFLECTED or not word.isalpha():
        return None
    for end, replacement in _ENDS:
        if word.endswith(end):
            return word.removesuffix(end) + replacement
    is_noun = word in WORDS and WORDS[word].german[0].isupper()
    return _plural(word) if is_noun else None


def _plural(noun: str) -> str:
    ends_in_y = noun.endswith("y") and noun[-2] not in "aeiou"
    return noun.removesuffix("y") + "ies" if ends_in_y else noun + "s"
