"""English. The cases that were recorded from OpenClaw (`oracle/recall_intent.json`) decide what is said of them."""

from __future__ import annotations

from clawmem_core.recall.asking.recall_intent.rules import GAP, LATIN, Ground, Language, Table, any_of, asks, clear

_US = "(?:we|i|you)"
_DAYS = any_of("monday tuesday wednesday thursday friday saturday sunday")
_MONTHS = any_of("january february march april may june july august september october november december")
_ASKED = any_of("what whats where wheres when who whos whom whose why how which")
_TALKED = any_of(
    "discussed decided agreed talked spoke mentioned chose settled picked concluded planned promised brainstormed"
)
_TALK = any_of("discuss decide agree talk mention say tell choose settle pick plan promise write note speak")
_DID = any_of(
    "went met visited bought ordered saw ate booked stayed watched read paid picked recommended told said used tried "
    "installed fixed wrote sent put left saved planted hired ran cooked signed lent borrowed parked stored called"
)
_DONE = any_of(
    "done decided discussed said told tried agreed seen written saved noted learned learnt bought met been chosen "
    "talked spoken used promised settled won made gone taken given got gotten found held lost run come become begun "
    "had read"
)
_SOMEBODY = r"(?!the |an? |people |humans |one |it )[\w'+-]{1,30}"
"""Whom a question is about; `the` begins questions about the world more often than about one's own life."""
_TALKS = any_of("conversation chat discussion")
_MEETINGS = any_of("conversation chat discussion session talk meeting call email message thread exchange")

ENGLISH = Table(
    Language.ENGLISH,
    Ground.AS_WRITTEN,
    LATIN,
    look_alikes="|".join(
        (
            r"\bremember to\b",
            r"\bpreviously on\b",
            r"\bfor the last time\b",
            r"\b(?:is|are|be|being|was|were|been|get|getting|commonly|often|mostly) used to\b",
            r"\b(?:no|not|any|even|much|little|bit|up|start|leave|arrive|come) earlier\b",
            r"\bearlier (?:versions?|releases?|than|or later|flight|train|slot)\b",
            r"\bif (?:we|i|you)(?! (?:remember|recall))(?: \w{1,20}){1,2}",
        )
    ),
    future=r"\b(?:tomorrow|tonight|will|shall|going to|gonna|from now on|in the future|upcoming|soon|later today|"
    rf"(?:'ll)|next (?:time|week|month|year|weekend|quarter|{_DAYS})|in \d{{1,3}} (?:minutes?|hours?|days?|weeks?))\b",
    rules=(
        clear("a past time", r"\b(?:previously|yesterday|formerly|back then|the other day|back when)\b"),
        clear(
            "last week, month, time",
            r"\blast (?:week|month|year|night|time|weekend|quarter|spring|summer|autumn|fall|winter|session|call|"
            rf"chat|conversation|discussion|visit|trip|meeting|{_DAYS}|{_MONTHS})\b",
        ),
        clear("days ago", r"\b\d{1,4} (?:seconds?|minutes?|hours?|days?|weeks?|months?|years?) ago\b"),
        clear("a question about long ago", rf"\b(?:{_ASKED}|did|was|were)\b{GAP}\bago\b"),
        clear("we discussed", rf"\b(?:we|i|(?<!have )you)(?: (?:already|once|both|just))? {_TALKED}\b"),
        clear("what did we", rf"\b{_ASKED}(?: \w{{1,20}}){{0,4}} did(?:n't)? {_US}\b"),
        clear("did we decide", rf"\b(?:did|didn't) {_US}(?: (?:ever|already|not|once))? {_TALK}\b"),
        clear("have we discussed", rf"\b(?:have|had|haven't|hadn't) (?:we|i)(?: (?:ever|already|not))? {_DONE}\b"),
        clear("a question about what we did", rf"\b{_ASKED}\b{GAP}\b{_US} (?:last |once |already )?{_DID}\b"),
        clear("what did somebody", rf"\b{_ASKED}(?: [\w'+-]{{1,20}}){{0,9}} did {_SOMEBODY}\b"),
        clear(
            "what has somebody done",
            rf"\b{_ASKED}(?: [\w'+-]{{1,20}}){{0,6}} (?:has|have|had) (?:both )?{_SOMEBODY}(?: and \w{{1,20}})?(?: "
            rf"(?:ever|already|recently|also|not))? (?:{_DONE}|{_DID}|\w{{2,20}}(?:ed|en|wn|ught))\b",
        ),
        clear(
            "when or where somebody was",
            rf"\b(?:when|where) (?:was|were) {_SOMEBODY}\b(?![^.!?]{{0,40}}\b(?:invented|discovered|founded|"
            r"introduced|published|released)\b)",
        ),
        clear("where'd we", rf"\b(?:what|where|when|who|how|why)'d {_US}\b"),
        clear(
            "did somebody answer",
            r"\bdid (?:the |my |our )?\w{2,20} (?:ever |already )?(?:reply|call|agree|tell|mention|write|answer|pay|"
            r"sign|send|confirm)\b",
        ),
        clear(
            "as we said",
            r"\b(?:as|like|what) (?:we|i|you) (?:said|told)\b|\bi told you\b|\byou (?:told|promised) me\b",
        ),
        clear(
            "that time",
            r"\bthe first time (?:we|i|you|she|he|they|it)\b|\bthat time (?:we|i|you|when)\b",
        ),
        asks("earlier", r"\bearlier\b"),
        asks(
            "do you remember",
            rf"\b(?:do|does|did|don't|can|could|would) (?:{_US}|u)(?: (?:still|even|not|ever|by any "
            r"chance|happen to)){0,1} (?:remember|recall)\b",
        ),
        asks("remember when", r"\bremember (?:when|what we|how we|who we|where we|that time|the time|our)\b"),
        asks(
            "I cannot remember",
            r"\b(?:i|we) (?:don't|can't|cannot|do not|couldn't) (?:quite |really )?(?:remember|recall)\b",
        ),
        asks(
            "if I remember",
            r"\b(?:if|as|as far as|from what) i (?:remember|recall)\b|\bi (?:forgot|forget) "
            r"(?:what|who|where|which|how|when)\b",
        ),
        asks("remind me what", r"\bremind me (?:again )?(?:what|which|who|whose|where|why|how)\b"),
        asks(
            "remind me when it was",
            r"\bremind me (?:again )?when (?:we|i|you|that|it|the \w{1,20}) (?:\w{2,20}ed|was|were|met|last)\b",
        ),
        asks(
            "a past conversation",
            rf"\b(?:past|previous|prior|earlier|old|former) (?:decision|note|agreement|answer|{_MEETINGS})s?\b",
        ),
        asks(
            "a conversation from March",
            rf"\b{_TALKS}s? (?:from|in|of|on) (?:{_MONTHS}|{_DAYS}|20\d\d)\b|"
            rf"\b(?:notes|{_MEETINGS}s?) from (?:{_MONTHS}|{_DAYS}|20\d\d)\b",
        ),
        asks(
            "summarise the conversation",
            r"\b(?:summari[sz]e|recap|sum up|go over)(?: (?:the|our|my|this|that|all|past|whole|entire)){0,2} "
            rf"(?:{_MEETINGS}s?|what we)\b|\b(?:chat|conversation) history\b",
        ),
        asks("what was the decision", r"\bwhat was the (?:decision|conclusion|agreement|outcome|verdict|plan)\b"),
        asks("used to", r"\bused to\b"),
        asks("what do I usually", rf"\b{_ASKED}\b{GAP}\b(?:i|we) (?:usually|normally|always|typically)\b"),
        asks("what was mine", rf"\b{_ASKED}(?: \w{{1,20}}){{0,3}} (?:was|were) (?:my|our|we|i|that)\b"),
        asks("what is it again", r"\b(?:what|who|where|which)(?:'s| is| was| were| are)\b[^.!?]{0,60}\bagain\b"),
        asks(
            "since when",
            r"\b(?:since when|(?:which|who|what) came first|how (?:long|often|many times) (?:have|has|had|did) (?:we|"
            r"i|you|it|she|he|they|my|our))\b",
        ),
        asks("didn't we", r"\b(?:didn't|haven't|weren't|hadn't) (?:we|i)\b"),
    ),
)
