"""German, without umlauts; `ue` and `oe` for them count too where they are common."""

from __future__ import annotations

from clawmem_core.recall.asking.recall_intent.rules import GAP, LATIN, Ground, Language, Table, any_of, asks, clear

_DAYS = any_of("montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag")
_MONTHS = any_of("januar februar marz april mai juni juli august september oktober november dezember")
_ASKED = any_of(
    "was wo wann wie wer wen wem wessen warum wieso weshalb welche welcher welches welchen welchem woruber worueber "
    "wovon worauf wofur wofuer wohin womit woran"
)
_TALKED = any_of(
    "besprochen entschieden beschlossen vereinbart abgemacht ausgemacht gesagt gesprochen diskutiert festgelegt "
    "erwahnt "
    "erwaehnt geredet geeinigt versprochen erzahlt erzaehlt abgesprochen empfohlen vorgeschlagen ausgesucht gewahlt"
)
_PARTICIPLE = r"(?:\w{0,8}ge\w{2,15}(?:t|en)|(?:be|ver|ent|er|zer)\w{3,15}(?:t|en)|\w{2,12}iert)"
_MEETINGS = (
    "(?:gesprach|gespraech|entscheidung|unterhaltung|besprechung|chat|diskussion|sitzung|notiz|nachricht|absprache|"
    r"meeting|treffen|austausch)(?:s|e|en|n)?"
)

GERMAN = Table(
    Language.GERMAN,
    Ground.UNACCENTED,
    LATIN,
    look_alikes="|".join(
        (
            r"\bvergiss nicht\b|\bnicht vergessen\b|\bnie vergessen\b",
            r"\bfru(?:e)?her oder spa(?:e)?ter\b",
            r"\bzum (?:aller)?letzten mal\b",
            r"\bletzte[rsn]? (?:chance|zeit|endes|minute|instanz|schliff)\b",
            r"\berinner(?:e|t)? (?:mich|uns) (?:bitte )?(?:\w{1,15} )?daran, (?:\w{1,20} ){1,6}zu\b",
        )
    ),
    future=r"(?<!heute )(?<!gestern )(?<!guten )(?<!jeden )\bmorgen\b|\b(?:u(?:e)?bermorgen|na(?:e)?chste[smnr]?|"
    "ku(?:e)?nftig|in zukunft|"
    r"bald|spa(?:e)?ter|nachher|demna(?:e)?chst|heute abend|ab jetzt|von jetzt an|kommende[nrsm]?|wirst|werde|"
    r"in (?:\d{1,3}|eine[mrn]?|zwei|drei|funf) (?:minuten?|stunden?|tag(?:en)?|wochen?|monat(?:en)?))\b",
    rules=(
        clear(
            "a past time",
            r"\b(?:gestern|vorgestern|neulich|ku(?:e)?rzlich|letztens|damals|vorhin|seinerzeit|das letzte mal|(?:wie|"
            "von|so|aus) fru(?:e)?her|"
            r"fru(?:e)?her (?:haben|hatten|war|waren|hatte|habe|gab|wohnte|nutzten|benutzten|immer|mal))\b",
        ),
        clear(
            "last week, month, time",
            r"\b(?:letzte|vergangene|vorige)[smnr]? (?:mal|woche|monat|jahr|nacht|wochenende|quartal|sommer|winter|"
            rf"herbst|fru(?:e)?hling|{_DAYS}|{_MONTHS}|{_MEETINGS})\b",
        ),
        clear(
            "days ago",
            r"\bvor (?:\d{1,3}|ein|eine[mrn]|einigen|ein paar|zwei|drei|vier|fu(?:e)?nf|sechs|zehn|mehreren|vielen) "
            r"(?:minuten?|stunden?|tag(?:en)?|wochen?|monat(?:en)?|jahr(?:en)?)\b"
            r"|\bvor (?:kurzem|langem|langer zeit)\b",
        ),
        clear(
            "what did we",
            rf"\b{_ASKED}\b[^.!?]{{0,40}}\b(?:haben|hatten|habe|hatte|hast|hattest|habt|sind|bin|bist|waren) (?:wir|"
            rf"ich|du|ihr|sie)\b[^.!?]{{0,50}}\b{_PARTICIPLE}\b",
        ),
        clear(
            "which we did",
            rf"\b{_ASKED}\b[^.!?]{{0,20}}\b(?:wir|ich|du)\b[^.!?]{{0,40}}\b{_PARTICIPLE} "
            r"(?:haben|hatten|habe|hatte|hast|hattest|sind|bin)\b",
        ),
        clear(
            "we discussed",
            rf"\b(?:wir|du|ich|ihr) (?:haben|hatten|hast|hattest|habe|hatte|habt)(?: \w{{1,20}}){{0,6}} {_TALKED}\b|"
            rf"\b(?:haben|hatten|hast|hattest|habe|hatte|habt) (?:wir|du|ich|ihr)(?: \w{{1,20}}){{0,6}} {_TALKED}\b",
        ),
        clear(
            "when did somebody",
            rf"\b(?:wann|wo|wohin|wen|um wie viel uhr|an welchem tag)\b[^.!?]{{0,20}}\b(?:hat|haben|ist|sind|hatte|"
            rf"war|waren) (?!der |die |das |man )[^.!?]{{1,60}}\b{_PARTICIPLE}\b"
            rf"|\b(?:wann|wo|wohin|wen)\b (?:hat|ist) [^.!?]{{1,50}}\b(?:um|an|ab|aus|ein|weg|auf)ge\w{{2,15}}(?:t|"
            r"en)\b",
        ),
        clear("had we not", rf"\b(?:hatte|hatten|hattest) (?:ich|wir|du)\b{GAP}\b{_PARTICIPLE}\b"),
        asks(
            "do you remember",
            r"\b(?:erinnerst|entsinnst) du dich\b|\berinnert ihr euch\b|\berinnern sie sich\b|\b(?:weisst du|weisste|"
            r"wisst ihr|wissen sie)(?: es)? noch\b|"
            r"\b(?:kannst du dich|konnen sie sich|koennen sie sich)\b[^.!?]{0,40}\berinnern\b|\bdu (?:dich )?noch an\b",
        ),
        asks(
            "I do not remember",
            r"\bich erinnere mich (?:nicht|kaum|nur)\b|\bich weiss nicht mehr\b|\bich "
            "(?:habe?|hab) vergessen,? (?:was|wer|wie|wo|welche)",
        ),
        asks(
            "remind me what",
            r"\berinner(?:e|t)? (?:mich|uns)(?: bitte)?(?: noch ?mal)?(?: daran)?,? (?:was|wer|wo|wie|welche\w?|"
            r"warum|woran|worauf)\b",
        ),
        asks(
            "what was it",
            r"\b(?:wie|was|wer|wo|wann|welche[rsnm]?) (?:war|waren|hiess|hiessen|lautete)(?:en)? (?:das|der|die|denn|"
            r"es)? ?(?:noch|nochmal|gleich|doch|mein\w{0,2}|unser\w{0,2})\b|"
            r"\bwie (?:hiess|hiessen|lautete)\b|\b(?:was|wie|welche[rsn]?) war(?:en)? (?:mein|unser)\w{0,2}\b|\bwo "
            r"waren wir\b",
        ),
        asks(
            "what is it again",
            r"\b(?:wie|was|wer|wo|welche[rsn]?)\b[^.!?]{0,20}\b(?:heisst|hiess|war|ist|lautet|"
            r"heissen)\b[^.!?]{0,50}\b(?:noch ?mal|noch gleich|gleich) ?\W?$",
        ),
        asks(
            "what do I usually",
            rf"\b{_ASKED}\b{GAP}\b(?:normalerweise|meistens|u(?:e)?blicherweise|sonst immer|gewo(?:e)?hnlich)\b",
        ),
        asks(
            "summarise the conversation",
            rf"\b(?:fass|fasse|fassen)\b[^.!?]{{0,40}}\b{_MEETINGS}\b[^.!?]{{0,20}}\bzusammen\b|\bzusammenfassung "
            rf"(?:des|der|vom|von|unser\w{{0,2}}) {_MEETINGS}\b",
        ),
        asks(
            "a past conversation",
            rf"\b(?:fru(?:e)?here|vergangene|bisherige|alte|vorige|vorherige)[nrs]? {_MEETINGS}\b|\b{_MEETINGS} "
            rf"(?:vom|von|aus|aus dem) (?:{_MONTHS}|{_DAYS}|20\d\d)\b",
        ),
        asks(
            "since when",
            r"\bseit wann\b|\bwie (?:oft|lange|viele male) (?:habe|haben|hast|hatte|hatten|bin|sind|"
            r"warst|waren) (?:ich|wir|du)\b",
        ),
    ),
)
