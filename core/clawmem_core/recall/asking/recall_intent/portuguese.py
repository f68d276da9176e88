"""Portuguese of both sides of the ocean, without accents."""

from __future__ import annotations

from clawmem_core.recall.asking.recall_intent.rules import GAP, LATIN, Ground, Language, Table, any_of, asks, clear

_DAYS = r"(?:segunda|terca|quarta|quinta|sexta|sabado|domingo)(?:-feira)?"
_MONTHS = any_of("janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro")
_UNITS = r"(?:minutos?|horas?|dias?|semanas?|mes|meses|anos?|tempo|tempos)"
_NUMBERS = (
    r"(?:\d{1,3}|uma?|dois|duas|tres|quatro|cinco|seis|dez|quinze|uns|umas|alguns|algumas|varios|varias|muito|pouco)"
)
_ASKED = r"(?:que|qual|quais|quem|onde|quando|como|quanto|quantos|quantas)"
_DID = any_of(
    "dissemos fizemos vimos fomos disseste fizeste fiz falei comprei usei guardei deixei escolhi pedi fui comi li "
    "anotei "
    "escrevi mencionei recomendou recomendaste indicou sugeriu decidi conheci coloquei pus contei paguei instalei "
    "configurei estacionei reservei combinei pusemos estivemos conhecemos"
)
_SAME_NOW = any_of(
    "decidimos falamos conversamos combinamos discutimos usamos escolhemos compramos pedimos acertamos anotamos"
)
_SAID = any_of(
    "decidiu combinou falou conversou escolheu disse acertou discutiu mencionou prometeu recomendou comentou"
)
_MEETINGS = (
    "(?:conversa|papo|decisao|decisoes|reuniao|reunioes|mensagem|mensagens|sessao|sessoes|nota|discussao|discussoes|"
    "chat)s?"
)

PORTUGUESE = Table(
    Language.PORTUGUESE,
    Ground.UNACCENTED,
    LATIN,
    look_alikes="|".join(
        (
            r"\blembr(?:a|e|ar|em|o|as)(?:-me|-se|-te|-nos)? de (?:me |te |se |nao )?\w{1,20}(?:ar|er|ir|or)\b",
            r"\blembr(?:a|e|em)(?:-se|-te)? (?:de )?que (?:eu|tenho|temos|sou|o|a|amanha)\b",
            r"\bnao (?:se |te |me )?esque\w{1,5}\b|\bnunca vou esquecer\b",
            r"\be a ultima vez que\b|\bpela ultima vez\b",
            r"\bultima (?:chance|oportunidade|hora|palavra)\b",
        )
    ),
    future=r"\b(?:amanha|proxim[oa]s?|mais tarde|depois|em breve|logo mais|daqui a|hoje a noite|que vem|vou|vamos|"
    r"vai|no futuro|doravante|de agora em diante)\b",
    rules=(
        clear(
            "a past time",
            r"\b(?:ontem|anteontem|anteriormente|previamente|antigamente|(?:a|da|na|nessa|nesta) ultima vez|outro "
            r"dia|tempos atras|naquela (?:vez|epoca|altura)|da outra vez|outrora)\b|^\W{0,2}ultima vez que\b",
        ),
        clear(
            "last week, month, time",
            rf"\b(?:semana|vez|noite|mes|ano|verao|inverno|outono|primavera|trimestre|{_DAYS}|{_MONTHS}) "
            rf"passad[oa]\b|\bno passado {_DAYS}\b",
        ),
        clear("days ago", rf"\b(?:ha|faz) (?:uns )?{_NUMBERS} {_UNITS}\b|\b{_NUMBERS} {_UNITS} atras\b"),
        clear("what did we", rf"\b{_ASKED}(?: \w{{1,20}}){{0,4}} {_DID}\b"),
        clear(
            "what did we decide",
            rf"\b(?:que|qual|quais|quem)(?: \w{{1,20}}){{0,3}} {_SAME_NOW}\b|\bja "
            rf"{_SAME_NOW}\b|\b(?:ficou|ficamos|ficara) (?:decidido|combinado|acertado)\b",
        ),
        clear("what did I", rf"\b{_ASKED}(?: \w{{1,20}}){{0,4}} \w{{2,20}}(?<![aei]r)ei\b"),
        clear(
            "you said",
            rf"\b(?:a gente|voce|voces|vc|eu|tu)(?: ja| me| te)? {_SAID}\b|\b(?:me|te|lhe) (?:disse|falou|contou|"
            r"recomendou|indicou|explicou|falei|contei|pedi|mandei|expliquei|disseste)\b|"
            r"\b(?:tinhamos|tinha|havia|haviamos|tinhas) (?:decidido|combinado|falado|dito|conversado|acertado|"
            r"escolhido)\b",
        ),
        clear(
            "when did somebody",
            r"\b(?:quando|onde|que dia|a que horas|em que mes)(?: (?:e )?(?:foi )?que)?(?: \w{1,20}){0,3} (?:se "
            ")?(?:mudou|casou|nasceu|foi|foram|veio|vieram|"
            "comprou|comecou|terminou|chegou|ganhou|morreu|conheceu|adotou|assinou|fez|fizeram|visitou|viajou|"
            r"esteve|perdeu|deixou|mudaram|casaram|compraram|comecaram|chegaram|voltou|disse)\b",
        ),
        asks(
            "do you remember",
            r"\b(?:voce|voces|vc|tu|ce|ainda|se|te)(?: ainda| nao)?(?: se| te)? (?:lembra|lembras|lembram|recorda|"
            r"recordas)\b|\blembras?-(?:se|te)\b|"
            r"^\W{0,2}lembras? (?:quando|daquel\w|do que|da vez|do dia|o que|qual|quem|onde|como|aquel\w|d[ao] "
            r"noss\w)\b",
        ),
        asks(
            "I do not remember",
            r"\bnao (?:me )?(?:lembro|recordo|estou lembrad[oa])\b|\b(?:esqueci|esqueci-me) "
            r"(?:o que|qual|quem|onde|como|o nome|a data|d[eo] que)\b",
        ),
        asks(
            "remind me what",
            r"\b(?:me lembr[ae]|lembr[ae]-me|lembre-nos|me recorde) (?:de novo )?(?:do que|o que|que \w{1,20} "
            r"(?:era|foi)|qual|quais|quem|onde|como|por que|quanto)\b",
        ),
        asks(
            "what were we saying",
            r"\b(?:tava|estava|estavamos|tavamos) (?:falando|dizendo|conversando|fazendo|a falar|a dizer)\b",
        ),
        asks(
            "what was it",
            r"\b(?:qual|quais|quem|como|onde|o que) (?:era|eram|foi|foram|estava|estavam) (?:o |a |os |as )?(?:meu|"
            r"minha|meus|minhas|nosso|nossa|nossos|nossas|aquel\w{1,2}|ess[ea]|mesmo)\b|"
            r"\b(?:qual|como) era\b|\bcomo (?:se )?chamava\b|\bonde (?:a gente )?(?:paramos|parou)\b",
        ),
        asks(
            "what is it again",
            rf"\b{_ASKED}{GAP}\bmesmo ?\W?$|\b(?:qual|como|quem|onde) (?:e|era|foi|se chama|fica) mesmo\b",
        ),
        asks(
            "what do I usually",
            rf"\b{_ASKED}{GAP}\b(?:costumo|costumamos|costumava|normalmente|geralmente|"
            r"sempre)\b|\b(?:eu|nos|a gente) costumava\b",
        ),
        asks(
            "summarise the conversation",
            rf"\b(?:resum(?:a|e|ir|o|am)|recapitul\w{{1,5}}|faca um resumo|faz um "
            rf"resumo)\b[^.!?]{{0,40}}\b{_MEETINGS}\b",
        ),
        asks(
            "a past conversation",
            rf"\b{_MEETINGS} (?:passad|anterior|antig|previ)(?:a|o|as|os|es)?\b|\b(?:ultim|antig|anterior)(?:a|o|as|"
            rf"os|es)? {_MEETINGS}\b|\b{_MEETINGS} (?:de|do|da|em) (?:{_MONTHS}|{_DAYS}|20\d\d)\b",
        ),
        asks(
            "since when",
            r"\bdesde quando\b|\bquantas vezes (?:eu |nos |a gente |ja )?(?:fui|fomos|ja|fiz|"
            r"fizemos|falei|falamos|foi)\b",
        ),
    ),
)
