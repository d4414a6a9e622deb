"""The sentences of the bundled example: German sources, each with two English references.

They were written for Rankwise; people, places and products are invented. The two references are
translations of the source by different hands, not edits of each other. There is a sentence of
three words and one of over forty, and there are questions, quotations, names, dates, abbreviations,
decimal commas and percentages, because that is where tokenisers and formats go wrong.
"""
# ruff: noqa: E501 - a sentence per line is easier to proofread than a wrapped one

from typing import NamedTuple


class Sentence(NamedTuple):
    """A source sentence and its two references."""

    source: str
    reference_a: str
    reference_b: str


class Document(NamedTuple):
    """A few sentences that belong together."""

    name: str
    domain: str
    sentences: tuple[Sentence, ...]


DOCUMENTS = (
    Document(
        "bridge",
        "news",
        (
            Sentence(
                "Die alte Eisenbahnbrücke über die Wehle bleibt bis zum 14. März 2025 gesperrt.",
                "The old railway bridge over the Wehle will remain closed until 14 March 2025.",
                "The old rail bridge across the Wehle stays shut until March 14, 2025.",
            ),
            Sentence(
                "Bei einer Routineprüfung hatten Ingenieure Ende November 37 Risse in den Stahlträgern entdeckt.",
                "During a routine inspection in late November, engineers had discovered 37 cracks in the steel girders.",
                "Engineers found 37 cracks in the steel beams during a routine check at the end of November.",
            ),
            Sentence(
                "„Wir haben keine andere Wahl“, sagte Bürgermeisterin Hanna Brückner am Montag.",
                '"We have no other choice," Mayor Hanna Brückner said on Monday.',
                '"There is no alternative," said the mayor, Hanna Brückner, on Monday.',
            ),
            Sentence(
                "Die Reparatur soll rund 4,2 Mio. Euro kosten, von denen das Land etwa 60 % übernimmt.",
                "The repairs are expected to cost around 4.2 million euros, of which the state will pay about 60%.",
                "Repairing the bridge should cost some €4.2 million, with the state covering roughly 60 percent.",
            ),
            Sentence(
                "Täglich fahren mehr als 9.000 Pendler über die Brücke, die 1908 gebaut und nach dem Krieg nur notdürftig instand gesetzt wurde, sodass viele von ihnen nun jeden Morgen einen Umweg von fast einer Stunde über das Nachbardorf Altenfeld in Kauf nehmen müssen.",
                "Every day, more than 9,000 commuters cross the bridge, which was built in 1908 and only provisionally repaired after the war, so that many of them now have to accept a detour of almost an hour through the neighbouring village of Altenfeld every morning.",
                "More than 9,000 commuters use the bridge each day; it dates from 1908 and was merely patched up after the war, and many of them must now put up with a detour of nearly an hour via the nearby village of Altenfeld each morning.",
            ),
            Sentence(
                "Wer bezahlt das?",
                "Who is paying for this?",
                "Who will foot the bill?",
            ),
            Sentence(
                "Der Verkehrsverbund setzt ab dem 2. Januar zusätzliche Busse ein, die im Abstand von zwölf Minuten fahren.",
                "From 2 January, the transport association will run additional buses every twelve minutes.",
                "Starting January 2, the transit authority is putting on extra buses that leave at twelve-minute intervals.",
            ),
            Sentence(
                "Kritiker halten den Zeitplan dennoch für zu optimistisch.",
                "Critics nevertheless consider the schedule too optimistic.",
                "Even so, critics believe that the timetable is overly hopeful.",
            ),
        ),
    ),
    Document(
        "energy",
        "news",
        (
            Sentence(
                "Die Stadtwerke Lindenau haben im vergangenen Jahr erstmals mehr Strom aus Sonne und Wind erzeugt als aus Gas.",
                "Last year, the Lindenau municipal utility generated more electricity from sun and wind than from gas for the first time.",
                "For the first time, the public utility of Lindenau produced more power from solar and wind than from gas last year.",
            ),
            Sentence(
                "Der Anteil stieg von 41,5 auf 53 Prozent.",
                "The share rose from 41.5 to 53 percent.",
                "Their share grew from 41.5% to 53%.",
            ),
            Sentence(
                "Nach Angaben von Dr. Jonas Rehm, dem technischen Leiter, lag das vor allem an den acht neuen Windrädern nördlich der Stadt.",
                "According to Dr. Jonas Rehm, the technical director, this was mainly due to the eight new wind turbines north of the city.",
                "Dr. Jonas Rehm, the head of engineering, said the main reason was the eight new windmills to the north of the town.",
            ),
            Sentence(
                "Für die Kunden ändert sich vorerst wenig: Der Preis pro Kilowattstunde sinkt lediglich um 0,8 Cent.",
                "For customers, little will change for now: the price per kilowatt hour will fall by only 0.8 cents.",
                "Little changes for consumers at first; the rate per kilowatt-hour drops by a mere 0.8 cents.",
            ),
            Sentence(
                "„Das ist kein Geschenk, sondern das Mindeste“, kritisierte die Verbraucherschützerin Aylin Demir.",
                '"This is not a gift, it is the least they can do," criticised consumer advocate Aylin Demir.',
                '"That is no present but the bare minimum," consumer campaigner Aylin Demir complained.',
            ),
            Sentence(
                "Im Winter bleibt die Stadt allerdings weiterhin auf das Gaskraftwerk angewiesen.",
                "In winter, however, the city still depends on the gas power plant.",
                "In the winter months, though, the town continues to rely on the gas-fired plant.",
            ),
            Sentence(
                "Ob ein Speicher gebaut wird, entscheidet der Stadtrat voraussichtlich am 30. Juni.",
                "The city council is expected to decide on 30 June whether a storage facility will be built.",
                "Whether to build a storage unit is likely to be settled by the town council on June 30.",
            ),
            Sentence(
                "Bis dahin wird weiter gerechnet.",
                "Until then, the calculations continue.",
                "Up to that point, people will keep doing the sums.",
            ),
        ),
    ),
    Document(
        "football",
        "news",
        (
            Sentence(
                "Nach 17 Jahren in der dritten Liga ist der FC Wehlen wieder aufgestiegen.",
                "After 17 years in the third division, FC Wehlen has been promoted again.",
                "FC Wehlen is moving up once more after spending 17 years in the third league.",
            ),
            Sentence(
                "Im entscheidenden Spiel gewann die Mannschaft am Samstagabend mit 3:1 gegen den SV Norden.",
                "In the decisive match on Saturday evening, the team won 3-1 against SV Norden.",
                "The side beat SV Norden 3-1 in Saturday night's deciding game.",
            ),
            Sentence(
                "Den ersten Treffer erzielte ausgerechnet der 19-jährige Torwart, der kurz vor der Pause mit nach vorne gelaufen war.",
                "Of all people, it was the 19-year-old goalkeeper, who had run forward shortly before half-time, who scored the first goal.",
                "The opening goal came from none other than the keeper, aged 19, who had moved upfield just before the break.",
            ),
            Sentence(
                "„Ich habe einfach die Augen zugemacht und geschossen“, erzählte er lachend.",
                '"I simply closed my eyes and shot," he said with a laugh.',
                '"I just shut my eyes and kicked," he recalled, laughing.',
            ),
            Sentence(
                "Rund 12.000 Fans feierten bis in die frühen Morgenstunden auf dem Marktplatz.",
                "Around 12,000 fans celebrated in the market square until the early hours of the morning.",
                "Some 12,000 supporters partied on the market square into the small hours.",
            ),
            Sentence(
                "Die Polizei meldete keine nennenswerten Zwischenfälle.",
                "The police reported no significant incidents.",
                "According to police, nothing worth mentioning happened.",
            ),
            Sentence(
                "Ob der Trainer bleibt, ist noch offen; sein Vertrag läuft am Monatsende aus.",
                "It is still unclear whether the coach will stay; his contract expires at the end of the month.",
                "Whether the trainer stays remains open, as his contract runs out at the end of this month.",
            ),
        ),
    ),
    Document(
        "headphones",
        "review",
        (
            Sentence(
                "Ich benutze diesen Kopfhörer seit drei Wochen jeden Tag in der Bahn.",
                "I have been using these headphones on the train every day for three weeks.",
                "For three weeks now, I have worn this headset daily on my train ride.",
            ),
            Sentence(
                "Der Klang ist klar und ausgewogen, nur die Bässe könnten etwas kräftiger sein.",
                "The sound is clear and balanced, only the bass could be a little stronger.",
                "It sounds clear and well balanced, although the bass might be a bit more powerful.",
            ),
            Sentence(
                "Laut Hersteller hält der Akku 40 Stunden, bei mir waren es ca. 34.",
                "According to the manufacturer, the battery lasts 40 hours; in my case it was about 34.",
                "The maker promises 40 hours of battery life, but I got approx. 34.",
            ),
            Sentence(
                "Leider drücken die Polster nach einer Weile auf die Ohren.",
                "Unfortunately, the pads press on your ears after a while.",
                "Sadly, the cushions start to squeeze the ears after some time.",
            ),
            Sentence(
                "Warum liegt bei einem Preis von 249 Euro kein Netzteil bei?",
                "Why is no power adapter included at a price of 249 euros?",
                "At €249, why does it not come with a charger?",
            ),
            Sentence(
                "Der Kundendienst hat auf meine E-Mail innerhalb von zwei Tagen freundlich geantwortet.",
                "Customer service replied to my email in a friendly manner within two days.",
                "The support team sent a kind answer to my e-mail inside two days.",
            ),
            Sentence(
                "Insgesamt ein gutes Gerät mit kleinen Schwächen: vier von fünf Sternen.",
                "All in all, a good device with minor weaknesses: four out of five stars.",
                "Overall, this is a good product with small flaws; I give it four stars of five.",
            ),
        ),
    ),
    Document(
        "novel",
        "review",
        (
            Sentence(
                "„Das Haus am Kanal“ ist der zweite Roman der Leipziger Autorin Mira Toll.",
                '"The House by the Canal" is the second novel by the Leipzig author Mira Toll.',
                'The Leipzig-based writer Mira Toll has published her second novel, "The House on the Canal".',
            ),
            Sentence(
                "Erzählt wird die Geschichte dreier Schwestern, die nach dem Tod ihres Vaters eine alte Mühle erben.",
                "It tells the story of three sisters who inherit an old mill after the death of their father.",
                "The book is about three sisters who are left an old mill when their father dies.",
            ),
            Sentence(
                "Die ersten hundert Seiten lesen sich zäh.",
                "The first hundred pages are heavy going.",
                "The opening hundred pages make for slow reading.",
            ),
            Sentence(
                "Wer durchhält, wird jedoch mit einem überraschenden und sehr bewegenden Schluss belohnt.",
                "Those who persevere, however, are rewarded with a surprising and very moving ending.",
                "But readers who keep going get an unexpected and deeply touching conclusion as their reward.",
            ),
            Sentence(
                "Besonders gelungen sind die Dialoge, in denen jede der drei Frauen ihre eigene Stimme behält.",
                "The dialogues, in which each of the three women keeps her own voice, are particularly successful.",
                "The conversations work especially well, because all three women retain a voice of their own.",
            ),
            Sentence(
                "Schade nur, dass das Lektorat so viele Druckfehler übersehen hat, z. B. auf S. 212.",
                "It is just a pity that the editors missed so many typos, e.g. on p. 212.",
                "The only shame is that the editing overlooked so many misprints, for example on page 212.",
            ),
            Sentence(
                "Ist das große Literatur?",
                "Is this great literature?",
                "Does this count as great literature?",
            ),
            Sentence(
                "Vielleicht nicht, aber ich habe das Buch in zwei Nächten gelesen.",
                "Perhaps not, but I read the book in two nights.",
                "Maybe not, yet I finished the book within two nights.",
            ),
        ),
    ),
    Document(
        "restaurant",
        "review",
        (
            Sentence(
                "Wir waren am Freitagabend zu viert im „Goldenen Anker“ essen.",
                'Four of us went to eat at the "Golden Anchor" on Friday evening.',
                'On Friday night, we had dinner at the "Golden Anchor" as a party of four.',
            ),
            Sentence(
                "Trotz Reservierung mussten wir 25 Minuten auf unseren Tisch warten.",
                "Despite having a reservation, we had to wait 25 minutes for our table.",
                "Although we had booked, it took 25 minutes before we got our table.",
            ),
            Sentence(
                "Die Fischsuppe war kalt, und der Kellner hat sich nicht einmal entschuldigt.",
                "The fish soup was cold, and the waiter did not even apologise.",
                "My fish soup came cold and the waiter never said sorry.",
            ),
            Sentence(
                "Das Lammfilet meiner Frau dagegen war zart und hervorragend gewürzt.",
                "My wife's lamb fillet, on the other hand, was tender and superbly seasoned.",
                "By contrast, the fillet of lamb that my wife ordered was tender and excellently spiced.",
            ),
            Sentence(
                "Für zwei Gläser Wasser 11 Euro zu verlangen, finde ich unverschämt.",
                "I find it outrageous to charge 11 euros for two glasses of water.",
                "Asking €11 for two glasses of water is a cheek, I think.",
            ),
            Sentence(
                "Nie wieder!",
                "Never again!",
                "We will not be back!",
            ),
            Sentence(
                "Die Aussicht auf den Hafen ist allerdings kaum zu übertreffen.",
                "The view of the harbour, however, is hard to beat.",
                "Admittedly, the view over the port can scarcely be bettered.",
            ),
        ),
    ),
    Document(
        "island",
        "travel",
        (
            Sentence(
                "Die Insel Norsand erreicht man nur mit der Fähre, die bei Sturm nicht ausläuft.",
                "The island of Norsand can only be reached by ferry, which does not sail in stormy weather.",
                "You can get to Norsand island only by a ferry that stays in port during storms.",
            ),
            Sentence(
                "Die Überfahrt dauert je nach Wetter 50 bis 70 Minuten und kostet 18,50 Euro.",
                "The crossing takes 50 to 70 minutes depending on the weather and costs 18.50 euros.",
                "Depending on the weather, the trip lasts between 50 and 70 minutes, at a price of €18.50.",
            ),
            Sentence(
                "Autos sind auf der Insel verboten; stattdessen fährt man mit dem Rad oder mit der Kutsche.",
                "Cars are banned on the island; people travel by bicycle or by carriage instead.",
                "No cars are allowed on the island, so you get around by bike or horse-drawn carriage.",
            ),
            Sentence(
                "Am schönsten ist es Anfang September, wenn das Meer noch warm ist und die meisten Gäste abgereist sind.",
                "It is most beautiful in early September, when the sea is still warm and most of the guests have left.",
                "The best time is the beginning of September, while the sea is still warm and most visitors have gone home.",
            ),
            Sentence(
                "Haben Sie schon einmal Seehunde aus der Nähe gesehen?",
                "Have you ever seen seals up close?",
                "Have you ever watched seals from close by?",
            ),
            Sentence(
                "Jeden Mittwoch um 15 Uhr führt die Biologin Wiebke Harms eine kleine Gruppe zu den Sandbänken.",
                "Every Wednesday at 3 p.m., biologist Wiebke Harms takes a small group to the sandbanks.",
                "The biologist Wiebke Harms leads a small group out to the sandbanks each Wednesday at 3 pm.",
            ),
            Sentence(
                "Nehmen Sie unbedingt warme Kleidung mit, denn selbst im Sommer weht ein kräftiger Wind.",
                "Be sure to take warm clothes with you, because even in summer a strong wind blows.",
                "Do bring warm clothing, as there is a stiff wind even in summer.",
            ),
            Sentence(
                "Übernachten kann man in einem von drei Gasthöfen oder auf dem Zeltplatz hinter den Dünen.",
                "You can stay overnight in one of three inns or at the campsite behind the dunes.",
                "For the night, there are three guest houses and a camping site behind the dunes.",
            ),
        ),
    ),
    Document(
        "railway",
        "travel",
        (
            Sentence(
                "Mit 42 km/h ist die Tannbergbahn der langsamste Zug des Landes.",
                "At 42 km/h, the Tannberg Railway is the slowest train in the country.",
                "The Tannberg line, at 42 km/h, is the country's slowest train.",
            ),
            Sentence(
                "Gerade deshalb lohnt sich die Fahrt.",
                "That is precisely why the journey is worthwhile.",
                "For that very reason, the ride is worth taking.",
            ),
            Sentence(
                "Auf einer Strecke von nur 23 Kilometern überquert der Zug 16 Brücken und fährt durch neun Tunnel.",
                "On a route of only 23 kilometres, the train crosses 16 bridges and passes through nine tunnels.",
                "Over a distance of just 23 kilometres, the train goes across 16 bridges and through nine tunnels.",
            ),
            Sentence(
                "Kinder unter sechs Jahren fahren kostenlos, Familien bekommen 30 % Rabatt.",
                "Children under six travel free of charge, and families receive a 30% discount.",
                "Kids younger than six ride for free; families get 30 percent off.",
            ),
            Sentence(
                "Setzen Sie sich auf die linke Seite, wenn Sie den Wasserfall fotografieren möchten.",
                "Sit on the left-hand side if you want to photograph the waterfall.",
                "Take a seat on the left if you would like to take pictures of the waterfall.",
            ),
            Sentence(
                "Im Speisewagen serviert Familie Oberhuber seit 1974 denselben Apfelkuchen nach dem Rezept der Großmutter.",
                "In the dining car, the Oberhuber family has served the same apple cake, made to their grandmother's recipe, since 1974.",
                "Since 1974, the Oberhuber family has been serving the same apple pie in the restaurant car, following grandma's recipe.",
            ),
            Sentence(
                "Die letzte Bahn ins Tal fährt bereits um 18:05 Uhr.",
                "The last train down to the valley leaves as early as 6:05 p.m.",
                "The final train into the valley already departs at 18:05.",
            ),
        ),
    ),
)
