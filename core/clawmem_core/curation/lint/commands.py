"""Is a line what one types at a shell? How it is built decides, because many programs have the name of a word.

A command names a program and goes on with options, paths and names. A sentence that begins with such a name
(`make`, `go`, `cat`, `find`) goes on with the little words of a language, and those are what tells them apart.
"""

from __future__ import annotations

import re


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_PROMPT = re.compile(r"^(?:[$❯➜]\s+[A-Za-z./~]|[\w.-]+@[\w.-]+[:~/\w.-]*[$#%]\s+\S|PS [A-Z]:\\[^>]*>\s*\S)")
_CODE_SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_ASSIGNMENT = re.compile(r"^(?:export\s+)?[A-Z_][A-Z0-9_]*=\S*$")
_OPTION = re.compile(r"^--?[A-Za-z?][\w-]*(?:=\S*)?$")
_PATH = re.compile(r"^(?:\.{0,2}/|~/|[A-Z]:\\)\S*$|^[\w.@-]+/[\w./@*-]+$|^\S*\*\S*$")
_FILE = re.compile(r"^[\w-]+\.(?:[a-z][a-z0-9]{0,5})(?:\.[a-z0-9]{1,4})?$")
_HOST = re.compile(r"^[a-z0-9-]+(?:\.[a-z0-9-]*[a-z][a-z0-9-]*)+(?::\d+)?$")
_ADDRESS = re.compile(r"^[a-z][a-z0-9+.-]*://\S+$|^[\w.-]+@[\w.-]+(?::\S*)?$|^[\w.-]+:[\w./-]+$")
_SHELL = re.compile(r"&&|\|\||[^|]\|\s|\$\(|\$\{?[A-Za-z_]|\d?>{1,2}\s*[\w-]*[./][\w./-]*|\d>&\d|<<<?\s*\w")
_LOOP = re.compile(r"^(?:for|while|until)\s.*;\s*do\s.*\bdone\b|^if\s.*;\s*then\s.*\bfi\b", re.DOTALL)
_NAME = re.compile(r"^(?:\./|~/|/)?[A-Za-z0-9_][\w.+/-]*$")

_PROGRAMS = _set(
    """
    ansible ansible-playbook apt apt-cache apt-get aws awk az bash brew bun bundle cargo certbot chgrp chmod chown
    cmake conda cp crontab curl deno df diff dig dnf docker docker-compose du env ffmpeg flyctl gcc gcloud gem gh git
    go gradle grep gunzip gzip helm htop ifconfig ip iptables java javac journalctl jq kubectl launchctl ln ls lsblk
    lsof make mkdir mount mv mvn mysql mysqldump nano nc netstat nginx ninja nmap node npm npx nslookup openssl pacman
    perl pg_dump pg_restore pip pip3 pipx pkill pnpm poetry psql pytest python python3 rclone redis-cli restic rg rm
    rmdir rsync ruby rustup scp sed service sh smartctl snap sqlite3 ssh ssh-keygen su sudo systemctl tail tar tcpdump
    terraform tmux traceroute ufw umount unzip uv uvx vi vim virsh wget xargs yarn yum zip zsh
    """
)
"""Programs that are no word of a language, or hardly ever the first one of a sentence."""
_WORDLIKE = _set(
    """
    at cat cd clear cut date echo exit export find head history kill less man more nice ping ps reboot screen shutdown
    sort source split test time top touch tree watch which who
    """
)
"""Programs whose names are words: only with something that no sentence has."""
_SUBCOMMANDS = _set(
    """
    add apply build checkout clean clone commit compose create delete deploy describe dev disable down enable exec
    fetch get init install lint list log login logs merge migrate pause plan prune publish pull push rebase reload
    remove reset restart restore rollout run serve show start stash status stop switch sync tag test uninstall up
    update upgrade
    """
)
_LITTLE_WORDS = _set(
    """
    a about after again always and another any are as asks at be because been before breaks but by can costs
    daily does each every everywhere fails for forbidden from has have he her his how i if in into is it its keeps
    lives may me must my needs never no nobody not of off on once only or our out over per please returns runs
    says she should since slowly so still take takes than that the their them then there they this those to twice
    until was we were when where which who will with without works you your
    à afin au aussi avant avec car ce cette chez comme dans de depuis des doit du elle en est et il ils jamais la le
    les leur mais ne nos notre nous on ont ou où par pas pour quand que qui reste sans se ses son sont sous sur toujours
    un une vers vous
    aber alle als am an auf aus bei bis braucht da damit das dem den der die du ein eine einen er es für gibt hat ich
    ihr im immer in ist jede jeden kann läuft mit muss nach nicht nie nur oder ohne seit sich sie sind soll über um und
    unter vom von vor wenn wie wir wird zu zum zur
    al con cuando de del desde donde el ella en entre es está esta este ha hasta la las lo los más muy nunca o para pero
    por que se siempre sin sobre son su sus un una y ya
    ao com da das do dos em é entre está foi mais na não nas no nos nunca os ou para pela pelo por quando que sem sempre
    seu sua são só um uma
    """
)
"""Words that hold a sentence together, English, French, German, Spanish and Portuguese."""
_ODD_NAME = re.compile(r"[\d_./-]")
_LETTERS = re.compile(r"\w")
_LABEL = re.compile(r"^[^\W\d][\w-]*:$")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_MOST_NAMES = 3
"""Plain names behind a subcommand, as in `git push origin main`."""


def is_command(text: str) -> bool:
    """Whether a line is nothing but a command or code."""
    if _PROMPT.match(text) or _LOOP.match(text) or _is_only_code(text):
        return True
    bare = text.strip().rstrip(";")
    if '"' in bare or "'" in bare:
        bare = _QUOTED.sub('""', bare)
    words = bare.split()
    while words and _ASSIGNMENT.match(words[0]):
        words = words[1:]
    if not words or bare.endswith((".", "!", ":", ",")) or _CJK.search(bare) or not _NAME.match(words[0]):
        return False
    program, rest = words[0], words[1:]
    spoken = any(word.strip(",;()").lower() in _LITTLE_WORDS or _LABEL.match(word) for word in words)
    known = program in _PROGRAMS or "/" in program or (program in _WORDLIKE and not spoken)
    if known and _SHELL.search(bare):
        return True
    return bool(rest) and not spoken and _is_built_like_one(program, rest)


def _is_only_code(text: str) -> bool:
    """Whether nothing but signs is left of a text without its code spans."""
    return "`" in text and not _LETTERS.search(_CODE_SPAN.sub(" ", text))


def _is_built_like_one(program: str, rest: list[str]) -> bool:
    options = sum(1 for word in rest if _OPTION.match(word))
    places = sum(1 for word in rest if _is_place(word))
    names = len(rest) - options - places - sum(1 for word in rest if word.isdigit())
    if program == "sudo":
        return True
    if program in _PROGRAMS:
        technical = options > 0 or _is_place(rest[0]) or rest[-1] == '""' or names == 0
        return names <= _MOST_NAMES and (technical or rest[0] in _SUBCOMMANDS)
    if program in _WORDLIKE:
        return options + places > 0 and names <= 1
    if _ODD_NAME.search(program):
        return options > 0 and options + places >= names
    return program.islower() and names == 0 and bool(_OPTION.match(rest[0]))


def _is_place(word: str) -> bool:
    return word == '""' or any(pattern.match(word) for pattern in (_PATH, _FILE, _HOST, _ADDRESS))
