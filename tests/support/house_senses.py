"""Labelled sentences of five acronyms, in the sense of one house and in their old senses.

Written for the tests. `{a|b}` in a template stands for one of its alternatives: the first sentence
of a template takes the first of each, the second the second. The test's templates share no wording
with those trained on.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tests.support import old_senses

HOUSE = {
    "PCR": "parcel claim record",
    "ATP": "account transition plan",
    "CNN": "customer needs notebook",
    "CT": "crew tablet",
    "PSA": "parcel sorting area",
}

TRAINING = {
    "PCR": (
        "Open a PCR as soon as a customer reports {a crushed box|a missing carton}.",
        "The driver's photo must be attached to the PCR before {noon|the shift ends}.",
        "We closed the PCR after paying {forty|sixty} euros for the broken lamp.",
        "Every PCR carries the {tracking|consignment} number and the value of the goods.",
        "{Marta|Jonas} in claims wants one PCR per damaged item, not one per order.",
        "No refund is paid without a signed PCR from the {depot|branch}.",
        "Is there a PCR for the {wine shipment|garden furniture} that arrived wet?",
        "The PCR was rejected because the sender had {packed it badly|declared no value}.",
        "Last {week|month} the depot filed eleven PCR forms for lost letters.",
        "Please add the receiver's statement to the PCR and set it to {pending|urgent}.",
        "A PCR older than {thirty|ninety} days goes to the insurer.",
        "Our {courier|subcontractor} disputes the PCR and says the seal was intact.",
        "Search the PCR by postcode if the label is {torn|unreadable}.",
        "The {shop|webshop} asked for a copy of the PCR to settle with its buyer.",
        "Two parcels, one PCR: that is how {Ghent|Lille} got its statistics wrong.",
        "PCR settled, money sent, customer {happy|informed}.",
        "You will find the compensation amount at the bottom of the PCR, {left|right} column.",
        "When a van is robbed, the team lead writes a PCR for each {package|delivery} on board.",
        "The new portal lets customers start a PCR {themselves|from their phone}.",
        "An empty {description|weight} field is the main reason why a PCR comes back.",
    ),
    "ATP": (
        "Before {Nadia|Peter} leaves, she hands her clients over with an ATP.",
        "The ATP lists every open offer and who takes it {next|over}.",
        "Sales will not move the {bakery|hotel} customer without an approved ATP.",
        "Please review the ATP with the new account manager by {Tuesday|Friday}.",
        "Our biggest client heard of the change before the ATP was {written|signed}.",
        "An ATP has three parts: contacts, contracts and {promises|deadlines}.",
        "In the ATP we wrote that the {discount|rebate} stays until the end of the year.",
        "Who owns the ATP for the {northern|southern} region after the merger?",
        "The key account was lost because nobody followed the {agreed|written} ATP.",
        "Introduce the successor in week one of the ATP, {by phone|in person}.",
        "{Forty|Twelve} accounts change hands in March, each with its ATP.",
        "Attach the ATP to the customer's page in the {CRM|sales} system.",
        "A rushed ATP annoys the client more than {no plan|a late invoice}.",
        "The partner asked for a longer overlap in the ATP, {two|three} months at least.",
        "My ATP for the {brewery|school} still lacks the billing contact.",
        "After the reorganisation the ATP was filled in by the {assistant|team lead} alone.",
        "Move the handover meeting into the ATP and invite the {buyer|director}.",
        "The ATP says that support tickets stay with {Karim|Lucy} until June.",
        "We score each ATP by how many {renewals|orders} survive the change.",
        "Without an ATP the new salesperson starts {blind|from zero}.",
    ),
    "CNN": (
        "Write what the shopper asked for into the CNN, in {her|his} own words.",
        "The CNN from the {Leeds|Bristol} store mentions wider aisles again.",
        "{Three|Five} entries in the CNN ask for gluten-free bread.",
        "Read the CNN before you plan the {window|shelf} display.",
        "Our buyers go through the CNN every {Monday|quarter} to see what people miss.",
        "A complaint belongs at the desk, a wish belongs in the {CNN|shop's CNN}.",
        "The manager copies the best remarks from the CNN into the {weekly|monthly} letter.",
        "Somebody spilled coffee over the CNN at the {till|counter}.",
        "A regular asked for smaller packs, and {I|we} noted it in the CNN.",
        "New staff learn to keep the CNN tidy and {polite|dated}.",
        "The CNN shows that pensioners want {chairs|benches} near the entrance.",
        "Ask for the CNN at head office if your own is {full|lost}.",
        "We added vegan cheese because of the CNN, and it {sells|sold out}.",
        "Please do not put names of clients into the CNN, only their {wishes|requests}.",
        "The {toy|shoe} department keeps a CNN of its own.",
        "There was one line in the CNN about the music: {too loud|switch it off}.",
        "Head office counts the wishes in each branch's CNN {twice|once} a year.",
        "The CNN hangs on a string beside the {scales|lift}.",
        "What did the CNN say about {parking|opening hours}?",
        "{Olga|Tim} leafed through the CNN and found ten requests for gift wrap.",
    ),
    "CT": (
        "The purser could not log in to her CT before {boarding|departure}.",
        "Charge your CT overnight so that it lasts the {whole rotation|long flight}.",
        "Passenger complaints are entered on the CT {during|after} the flight.",
        "The meal list on my CT showed {two|three} vegetarians too few.",
        "Every cabin attendant gets a CT and a {case|charger} on the first day.",
        "If the CT freezes, hold the power button for {ten|fifteen} seconds.",
        "{Rosters|Duty changes} are pushed to the CT at six in the evening.",
        "The captain read the loading sheet from a {colleague's|borrowed} CT.",
        "A cracked CT is exchanged at the {base|crew room} against a signature.",
        "Sales on board are booked with the CT and the {card reader|printer}.",
        "Please update the manual on your CT to {revision|version} nine.",
        "She left her CT in the galley and flew home without {it|noticing}.",
        "The safety video can also be shown on a {single|second} CT.",
        "No private {photos|games} on the CT, says the cabin chief.",
        "Wi-Fi in {Lisbon|Oslo} was so slow that the CT took an hour to sync.",
        "The seat map on the CT is wrong for the {new|leased} aircraft.",
        "IT ordered four hundred CT units with bigger {batteries|screens}.",
        "Report sick through the CT, not by {mail|telephone}.",
        "The {trainee|steward} was issued a CT with the old password still on it.",
        "My CT fell into the ice bucket on the {Rome|Vienna} flight.",
    ),
    "PSA": (
        "Forklifts must not enter the PSA while the belt is {running|loaded}.",
        "The night shift in the PSA handled {nine|twelve} thousand boxes.",
        "Turn left behind gate four to reach the {PSA|new PSA}.",
        "Scanners in the PSA are down, so we sort by {hand|postcode}.",
        "{Wear|Put on} safety shoes and a yellow vest in the PSA.",
        "A pallet of books blocked the PSA for {an hour|half the morning}.",
        "The PSA needs two more people before {Christmas|Easter}.",
        "Trolleys for the northern routes stand at the far end of the {PSA|hall's PSA}.",
        "{Oversized|Heavy} goods do not pass through the PSA.",
        "The supervisor's window looks down on the PSA and its {chutes|conveyors}.",
        "It was so cold in the PSA that the {labels|stickers} would not stick.",
        "Sweep the PSA at the end of {each|the late} shift.",
        "From the PSA the cartons roll straight into the {vans|trailers}.",
        "We painted new lanes on the floor of the PSA {on Sunday|last night}.",
        "Temps start in the PSA and move to {dispatch|returns} later.",
        "The fire drill emptied the PSA in {three|four} minutes.",
        "Put lost items into the cage beside the {PSA|PSA entrance}.",
        "Mail bags reach the PSA by {lift|ramp} from the basement.",
        "Nobody eats in the PSA, because {crumbs|mice} stop the rollers.",
        "The second belt of the PSA broke down {again|at five}.",
    ),
}

TEST = {
    "PCR": (
        "Without pictures of the dented {toaster|bicycle} my PCR went nowhere.",
        "How long does the insurer sit on a PCR about {stolen|vanished} freight?",
        "{Brussels|Madrid} leads the list: one PCR for every thousand deliveries.",
        "Somebody typed the wrong amount into the PCR and the {merchant|dealer} got double.",
        "I told the lady on the phone that her PCR about the vase is {approved|in progress}.",
        "The postal worker filled in a PCR while the {recipient|neighbour} watched.",
        "{Closing|Reopening} a PCR needs the consent of the shipper.",
        "What the mail carrier dropped ends up in a PCR {sooner or later|by evening}.",
        "Liability is limited, which every PCR states in {small print|its footer}.",
        "Our {lawyer|auditor} read each PCR on the burnt lorry.",
    ),
    "ATP": (
        "When a representative retires, the ATP keeps {buyers|purchasers} from feeling abandoned.",
        "{Helen|Sven} inherits nine clients and has read none of the ATP papers.",
        "The supermarket chain complained: its ATP named a {person|rep} who quit in May.",
        "Draft the ATP, show it to the client, then shake hands {together|twice}.",
        "Are the {prices|terms} we agreed on recorded in the ATP?",
        "Our relationship managers dread every ATP, {yet|but} churn fell by a third.",
        "A good ATP names one successor and one {deputy|backup} for the customer.",
        "{Finance|Legal} signed off on the ATP of the insurance customer.",
        "During the ATP both consultants visit the {factory|clinic} side by side.",
        "The ATP of this portfolio has slipped, so {clients|buyers} call the old number.",
    ),
    "CNN": (
        "An old gentleman dictated his request for {braces|slippers} to the CNN.",
        "{Browsing|Studying} last year's CNN, the owner discovered a demand for bulk rice.",
        "The cashier scribbles ideas from the queue in the CNN when {it is quiet|nobody waits}.",
        "Why do we keep a CNN if the buying team ignores what {families|students} want?",
        "Page twelve of the CNN: a {mother|father} would like a changing table.",
        "The regional director took our CNN home and {answered|praised} every wish.",
        "More {organic|local} fruit, says the CNN, and later closing on Thursdays.",
        "I found a spelling mistake in every line of that {branch's|florist's} CNN.",
        "Wishes heard on the sales floor go to the CNN {the same day|at once}.",
        "The {bookshop|pharmacy} replaced its suggestion box with a CNN.",
    ),
    "CT": (
        "A flight attendant swiped through the CT to find the {wheelchair|allergy} requests.",
        "{Two|Six} hours over the Atlantic and my CT was at four percent.",
        "Tap the CT twice to see who sits in {row|seat} 14.",
        "The airline locks a CT that was reported {stolen|lost}.",
        "Briefing notes arrive on the CT, so the {stewardesses|pursers} no longer print them.",
        "Hand in your CT when you {resign|go on leave} from cabin service.",
        "Duty-free {perfume|chocolate} was missing from the catalogue on the CT.",
        "The software on the CT crashed in the middle of the {landing|inflight} checklist.",
        "Our first officer {borrowed|found} a CT left in the cockpit.",
        "Stow the CT for take-off, like any other {device|gadget}.",
    ),
    "PSA": (
        "A jammed conveyor kept {forty|thirty} workers of the PSA waiting.",
        "The foreman walks through the PSA {hourly|at midnight} and counts the cages.",
        "Visitors may watch the PSA from the {gallery|bridge} above.",
        "Late lorries mean overtime for everybody in the {PSA|crowded PSA}.",
        "Robots will take over half the PSA, the {warehouse|logistics} chief announced.",
        "The lamps over the PSA were replaced, now one can read the {addresses|barcodes}.",
        "Packages from {abroad|the airport} are X-rayed before they come to the PSA.",
        "Our union complained about the noise in the {PSA|depot's PSA}.",
        "{Rain|Water} leaked through the roof onto the belts of the PSA.",
        "He twisted his ankle between two roller tables in the {PSA|packed PSA}.",
    ),
}


class Labelled(NamedTuple):
    """A sentence, the acronym in it and the long form meant."""

    text: str
    acronym: str
    long_form: str


def training() -> list[Labelled]:
    """200 sentences of the new senses, 40 an acronym, in turn."""
    return _in_turn(_house(TRAINING))


def new_senses() -> list[Labelled]:
    """100 other sentences of the new senses, 20 an acronym."""
    return _in_turn(_house(TEST))


def old() -> list[Labelled]:
    """200 sentences of the same acronyms in their old senses, 40 an acronym."""
    return _old(old_senses.TRAINING)


def other_old() -> list[Labelled]:
    """100 other sentences of the old senses, 20 an acronym; they share no template with `old`."""
    return _old(old_senses.TEST)


def _old(templates: Mapping[str, Mapping[str, tuple[str, ...]]]) -> list[Labelled]:
    return [
        Labelled(text, acronym, long_form)
        for acronym, senses in templates.items()
        for long_form, of in senses.items()
        for text in _sentences(of)
    ]


def _house(templates: Mapping[str, tuple[str, ...]]) -> dict[str, list[Labelled]]:
    return {
        acronym: [Labelled(text, acronym, HOUSE[acronym]) for text in _sentences(of)]
        for acronym, of in templates.items()
    }


def _sentences(templates: Sequence[str]) -> Iterator[str]:
    for turn in range(2):
        for template in templates:
            yield re.sub(r"\{([^{}]*)\}", lambda m: m[1].split("|")[turn], template)  # noqa: B023


def _in_turn(rows: dict[str, list[Labelled]]) -> list[Labelled]:
    return [one for together in zip(*rows.values(), strict=True) for one in together]
