"""Spanish, without accents; forms that mean something else without theirs are left out."""

from __future__ import annotations

from clawmem_core.recall.asking.recall_intent.rules import GAP, LATIN, Ground, Language, Table, any_of, asks, clear

_DAYS = any_of("lunes martes miercoles jueves viernes sabado domingo")
_MONTHS = any_of("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre")
_UNITS = r"(?:minutos?|horas?|dias?|semanas?|mes|meses|anos?|tiempo|rato)"
_NUMBERS = r"(?:\d{1,3}|una?|dos|tres|cuatro|cinco|seis|siete|diez|quince|unos|unas|varios|varias|mucho|poco)"
_ASKED = r"(?:que|cual|cuales|quien|quienes|donde|cuando|como|cuanto|cuantos|cuantas)"
_DID = any_of(
    "decidimos acordamos dijimos elegimos hicimos discutimos pusimos vimos fuimos dije dijiste hice hiciste puse "
    "compraste "
    "elegiste mencionaste recomendaste aconsejaste fui comi lei escribi pedi elegi guardaste pusiste dejaste "
    "aprendimos conocimos quedamos comentamos anotamos guardamos dejamos"
)
_TALKED = any_of(
    "hablado decidido dicho acordado comentado mencionado quedado elegido discutido contado tratado visto hecho"
)
_MEETINGS = r"(?:conversacion|charla|decision|reunion|mensaje|sesion|nota|discusion|platica|chat|acuerdo)(?:es|s)?"

SPANISH = Table(
    Language.SPANISH,
    Ground.UNACCENTED,
    LATIN,
    look_alikes="|".join(
        (
            r"\b(?:recuerda|recuerden?|recuerdame|recordarme|recordad|acuerdate de|acordate de) (?:que (?:tengo|"
            r"tenemos|hay|soy|debo|me)\b|\w{1,20}(?:ar|er|ir)(?:me|te|le|lo|la|se|les)?\b)",
            r"\brecordar(?:me|te|le|les|nos)?,? (?:a|que|de)\b|\brecordar \w{1,20}(?:ar|er|ir)\b",
            r"\bcomo siempre\b",
            r"\bno (?:te |se |os )?olvid\w{1,5}\b",
            r"\bes la ultima vez que\b",
            r"\bultima (?:oportunidad|hora|palabra)\b",
        )
    ),
    future=r"(?<!la )(?<!esta )\bmanana\b|\b(?:proxim[oa]s?|mas tarde|luego|despues|pronto|en adelante|dentro de|"
    r"esta noche|que viene|voy a|vamos a|vas a|en el futuro)\b",
    rules=(
        clear(
            "a past time",
            r"\b(?:ayer|anteayer|antier|anoche|anteanoche|anteriormente|previamente|la ultima vez|el otro dia|"
            r"aquella vez|aquel dia|la otra (?:vez|noche|tarde|semana)|en su momento|antano)\b",
        ),
        clear(
            "last week, month, time",
            rf"\b(?:semana|vez|noche|mes|ano|verano|invierno|otono|primavera|trimestre|{_DAYS}|{_MONTHS}) "
            rf"pasad[oa]\b|\bel pasado {_DAYS}\b",
        ),
        clear("days ago", rf"\bhace (?:como |ya )?{_NUMBERS} {_UNITS}\b|\bhace (?:mucho|poco|tiempo)\b"),
        clear("what did we", rf"\b{_ASKED}(?: \w{{1,20}}){{0,4}} {_DID}\b"),
        clear(
            "what did we talk about",
            r"\b(?:que|de que|sobre que|con quien)(?: \w{1,20}){0,2} (?:hablamos|usamos|compramos|pedimos)\b",
        ),
        clear(
            "we have discussed",
            r"\b(?:hemos|habiamos|habias|habia|te he|me has|has|te habia)(?: ya)? "
            rf"{_TALKED.replace('|visto|hecho', '')}\b|\b(?:hemos|habiamos) {_TALKED}\b",
        ),
        clear(
            "you told me",
            r"\bme (?:dijiste|contaste|recomendaste|mencionaste|comentaste|explicaste|pasaste|prometiste|"
            r"aconsejaste)\b|"
            r"\bte (?:dije|conte|comente|mencione|pedi|pase|explique|mande)\b|\b(?:ya|como) (?:hablamos|dijimos|"
            r"acordamos|quedamos|comentamos)\b",
        ),
        clear(
            "when did somebody",
            r"(?:\u00bf|\b)(?:cuando|donde|a que hora|que dia|en que mes)(?: \w{1,20}){0,3} (?:se )?(?:mudo|caso|"
            "nacio|fue|fueron|vino|vinieron|"
            "compro|empezo|comenzo|termino|llego|gano|murio|conocio|conocieron|adopto|firmo|dijo|hizo|hicieron|"
            r"visito|viajo|estuvo|perdio|dejo|mudaron|casaron|compraron|empezaron|llegaron|volvio)\b",
        ),
        asks(
            "do you remember",
            r"\b(?:recuerdas|acuerdas|acordas|acordais|recordais|recuerdan)\b|\bse (?:acuerda|acuerdan)\b|"
            r"\b(?:usted|ud\.?) recuerda\b",
        ),
        asks("to remember", r"\brecordar\b"),
        asks(
            "I do not remember",
            r"\bno (?:me acuerdo|recuerdo|logro acordarme)\b|\b(?:se me olvido|olvide) "
            r"(?:que|cual|quien|donde|como|el nombre|la fecha)\b",
        ),
        asks(
            "remind me what",
            r"\brecuerda(?:me|nos) (?:otra vez )?(?:cual|cuales|quien|donde|como|por que|cuanto|lo que)\b|"
            rf"\brecuerda(?:me|nos) (?:de )?que(?: \w{{1,20}}){{0,3}} (?:{_DID}|hablamos|usamos|era|eran|fue|habia|"
            r"habiamos)\b",
        ),
        asks(
            "what was it",
            r"\b(?:cual|cuales|como|donde|quien) (?:era|eran|fue|fueron|estaba|estaban) (?:mi|mis|nuestr[oa]s?|aquel|"
            r"aquella|aquello|es[aeo]|lo que|lo de|lo del)\b|"
            r"\b(?:cual|como) era (?:el|la|los|las)\b|\b(?:como|cual|quien) (?:se llamaba|decias|me dijo)\b|\ben "
            r"que (?:habiamos quedado|nos quedamos|estabamos)\b",
        ),
        asks("what were we saying", r"\b(?:estabamos|estabas|estaba) (?:hablando|diciendo|haciendo|viendo)\b"),
        asks(
            "we used to",
            r"\bantes (?:usaba|hacia|vivia|tenia|iba|pedia|trabajaba)(?:mos|s)?\b|\bsoli(?:a|amos|as)\b",
        ),
        asks("what do I usually", rf"\b{_ASKED}{GAP}\b(?:suelo|solemos|normalmente|siempre|de costumbre)\b"),
        asks(
            "summarise the conversation",
            rf"\b(?:resum(?:e|eme|ir|en|ime|irme)|recapitul\w{{1,4}}|repasa|repasemos)\b[^.!?]{{0,30}}\b{_MEETINGS}\b",
        ),
        asks(
            "a past conversation",
            rf"\b{_MEETINGS} (?:pasad|anterior|previ)(?:a|o|as|os|es)?\b|\b(?:anterior|pasad|previ|ultim)(?:a|o|as|"
            rf"os|es)? {_MEETINGS}\b|\b{_MEETINGS} (?:de|del|en) (?:{_MONTHS}|{_DAYS}|20\d\d)\b",
        ),
        asks("since when", r"\bdesde cuando\b|\bcuantas veces (?:he|hemos|has|fui|fuimos|nos|me)\b"),
    ),
)
