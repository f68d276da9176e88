"""What every screen and dialog has: one door for actions, work in the background, the lines around the frame.

An action goes through `action_do`: when `why_not` has a reason, the reason is said and nothing else happens;
otherwise the screen's `do_<name>` runs. Slow work goes through `work`, which keeps one job of a kind running and the
newest request waiting, hands results back in the app's thread, and turns every failure into words on the screen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.command import CommandPalette
from textual.content import Content
from textual.screen import ModalScreen, Screen, ScreenResultType
from textual.worker import Worker, WorkerState

from clawmem_core.errors import ClawmemError
from clawmem_tui.bindings import bound
from clawmem_tui.hints import HINTS
from clawmem_tui.keys import ACTIONS, Scope
from clawmem_tui.messages import ActionPressed, ShowCommands, Tone
from clawmem_tui.safe import safe
from clawmem_tui.theme import CONTRAST, DARK, LIGHT, TERMINAL, next_theme, theme_word
from clawmem_tui.widgets.chrome import (
    MIN_HEIGHT,
    MIN_WIDTH,
    KeyLines,
    MessageLine,
    TabLine,
    TooSmall,
    TopLine,
    small_notice,
)
from clawmem_tui.widgets.frame import Frame
from clawmem_tui.widgets.paper import Paper
from clawmem_tui.words import _

if TYPE_CHECKING:
    _Host = Screen[Any]
else:
    _Host = object

Result = TypeVar("Result")
Job = tuple[Callable[[], Any], Callable[[Any], None]]

WIDE_FROM = 160
"""Columns from which panes stand side by side that are otherwise a key away."""
TABS = ("everywhere.inbox", "everywhere.dreams", "everywhere.history")
"""The screens that exist, in the order of their keys."""


def failure_text(error: BaseException) -> str:
    """Return a failure in one line: what happened, then the next step."""
    if isinstance(error, ClawmemError):
        said = ": ".join(part for part in (error.title, error.message) if part)
        stop = "." if error.hint and said[-1:] not in ".!?" else ""
        return safe(f"{said}{stop} {error.hint}".strip())
    return safe(_("Unexpected {kind}: {error}").format(kind=type(error).__name__, error=error))


class Acting(_Host):
    """Actions by id, with reasons, and work in the background."""

    SCOPE: ClassVar[Scope]
    """Its actions in the registry."""
    _jobs: dict[str, Worker[Any]]
    _next_jobs: dict[str, Job]
    _job_of: dict[Worker[Any], tuple[str, Callable[[Any], None]]]

    def _start_acting(self) -> None:
        self._jobs, self._next_jobs, self._job_of = {}, {}, {}
        self._bindings = bound(self._bindings, *self.scopes)

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """The scopes of which it has the actions, the more special one last."""
        return (self.SCOPE,)

    def why_not(self, action: str) -> str:
        """Return why an action cannot be done now, or nothing."""
        return ""

    def refuse(self, reason: str) -> None:
        """Say why nothing happened."""
        raise NotImplementedError

    def failed(self, error: BaseException) -> None:
        """Show a failure of the background."""
        raise NotImplementedError

    def job_failed(self, kind: str, error: BaseException) -> None:
        """Show that a job of a kind failed."""
        self.failed(error)

    def action_do(self, action: str) -> None:
        """Do an action of the registry, or say why not."""
        if reason := self.why_not(action):
            self.refuse(reason)
            return
        try:
            getattr(self, ACTIONS[action].method)()
        except ClawmemError as error:
            self.failed(error)

    def on_action_pressed(self, event: ActionPressed) -> None:
        """Do what was clicked."""
        event.stop()
        self.action_do(event.action)

    def work(self, kind: str, job: Callable[[], Result], then: Callable[[Result], None]) -> None:
        """Run `job` in a thread and hand its result to `then`; of several requests of a kind the newest waits."""
        if kind in self._jobs:
            self._next_jobs[kind] = (job, then)
            return
        worker: Worker[Any] = self.run_worker(job, group=kind, thread=True, exit_on_error=False)
        self._jobs[kind] = worker
        self._job_of[worker] = (kind, then)

    @property
    def working(self) -> frozenset[str]:
        """The kinds of work that run now."""
        return frozenset(self._jobs)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Hand a result on, show a failure, start what waits."""
        if event.state not in (WorkerState.SUCCESS, WorkerState.ERROR, WorkerState.CANCELLED):
            return
        kind, then = self._job_of.pop(event.worker, ("", lambda _result: None))
        self._jobs.pop(kind, None)
        if (waiting := self._next_jobs.pop(kind, None)) is not None:
            self.work(kind, *waiting)
        if event.state is WorkerState.SUCCESS:
            then(event.worker.result)
        elif event.state is WorkerState.ERROR and event.worker.error is not None:
            self.job_failed(kind, event.worker.error)


class ScreenBase(Acting, Screen[None]):
    """A full screen: top line, tabs, a frame of panes, key lines and the last message."""

    TAB: ClassVar[str] = ""
    """Its tab's action."""
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (MIN_WIDTH, "-normal"), (110, "-roomy"), (WIDE_FROM, "-wide")]  # noqa: RUF012 - as in Screen
    VERTICAL_BREAKPOINTS = [(0, "-low"), (MIN_HEIGHT, "-enough")]  # noqa: RUF012 - as in Screen
    ESCAPE_TO_MINIMIZE: ClassVar[bool | None] = False
    DEFAULT_CSS = """
    ScreenBase {
        layers: base notice;
        layout: vertical;
        background: $cm-ground;
        &.-narrow TooSmall, &.-low TooSmall { display: block; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._start_acting()
        self.top = TopLine()
        self.tabs = TabLine(TABS, self.TAB)
        self.frame = Frame()
        self.key_lines = KeyLines(HINTS.get(self.SCOPE, ()), self.why_not)
        self.message = MessageLine()
        self._refusal = ""
        """Why the last key did nothing; said until the next one does something."""

    def compose(self) -> ComposeResult:
        """Build the lines and the frame."""
        yield self.top
        yield self.tabs
        with self.frame:
            yield from self.compose_panes()
        yield from self.compose_foot()
        yield self.key_lines
        yield from self.compose_end()
        yield TooSmall()

    def compose_panes(self) -> ComposeResult:
        """Build the columns of the frame."""
        yield from ()

    def compose_end(self) -> ComposeResult:
        """Build the last line."""
        yield self.message

    def compose_foot(self) -> ComposeResult:
        """Build what stands between the frame and the keys."""
        yield from ()

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """Its own actions beside those that every screen has."""
        return (Scope.EVERYWHERE, self.SCOPE)

    @property
    def too_small(self) -> bool:
        """Whether a hunk cannot be judged in this terminal."""
        return self.size.width < MIN_WIDTH or self.size.height < MIN_HEIGHT

    def why_not(self, action: str) -> str:
        """Return why an action cannot be done now, or nothing; a screen that is too small only quits."""
        if self.too_small and action != "everywhere.quit":
            return small_notice(self.size.width, self.size.height)
        if action.startswith("everywhere.theme") and self.app.no_color:
            return _("NO_COLOR is set: there are no colours to change.")
        return self.cannot(action)

    def cannot(self, action: str) -> str:
        """Return the screen's own reason against an action, or nothing."""
        return ""

    def say(self, text: str, tone: Tone = Tone.INFO) -> None:
        """Say what happened in the last line."""
        self.message.say(text, tone)
        self.key_lines.refresh()

    def refuse(self, reason: str) -> None:
        """Say why nothing happened; in a terminal that is too small the notice over the screen says it already."""
        if not self.too_small:
            self.say(reason, Tone.REFUSED)
            self._refusal = self.message.text

    def failed(self, error: BaseException) -> None:
        """Show a failure in the last line; what was on the screen stays."""
        self.say(failure_text(error), Tone.ERROR)

    def action_do(self, action: str) -> None:
        """Do an action of the registry, or say why not; what was refused before it is said no more."""
        if self._refusal and self.message.text == self._refusal:
            self.say("")
        super().action_do(action)

    def on_key(self, event: events.Key) -> None:
        """Say of a letter that is no key where the keys are; those that are one never come here."""
        if event.is_printable and event.character:
            words = _("{key} does nothing here; [everywhere.help] shows the keys.")
            self.refuse(words.format(key=safe(event.character)))

    def show_top(self, left: str, right: str) -> None:
        """Write the top line; the first word is the app's name."""
        name = Content.styled("clawmem", "bold $cm-bright")
        self.top.show(Content.assemble(name, "  ", (safe(left), "$cm-text")), Content.styled(safe(right), "$cm-dim"))

    def do_next_pane(self) -> None:
        """Give the next visible pane the focus."""
        self._focus_pane(1)

    def do_previous_pane(self) -> None:
        """Give the visible pane before the focus."""
        self._focus_pane(-1)

    def _focus_pane(self, step: int) -> None:
        panes = [pane for pane in self.frame.panes() if pane.can_focus]
        if not panes:
            return
        at = next((place for place, pane in enumerate(panes) if pane.has_focus), -1 if step > 0 else 0)
        panes[(at + step) % len(panes)].focus(scroll_visible=False)

    @property
    def reading(self) -> Paper | None:
        """The text pane that has the focus; None when a list has it."""
        return self.focused if isinstance(self.focused, Paper) else None

    @property
    def maximised(self) -> bool:
        """Whether one pane has the whole frame."""
        return self.frame.has_class("-maximised")

    def do_maximise(self) -> None:
        """Give the focused pane the whole frame, or take it back."""
        pane = next((pane for pane in self.frame.panes() if pane.has_focus), None)
        grow = not self.maximised and pane is not None
        for node in self.frame.query(".-maximised, .-holds"):
            node.remove_class("-maximised", "-holds")
        if grow and pane is not None and pane.parent is not None:
            pane.add_class("-maximised")
            pane.parent.add_class("-holds")
        self.frame.set_class(grow, "-maximised")

    def do_commands(self) -> None:
        """Show what was done, as commands."""
        self.post_message(ShowCommands())

    def do_palette(self) -> None:
        """Open the command palette."""
        self.app.push_screen(CommandPalette(placeholder=_("Find an action…")))

    def do_theme(self) -> None:
        """Change to the next theme."""
        self._change_theme(next_theme(self.app.theme))

    def do_theme_dark(self) -> None:
        """Change to the dark theme."""
        self._change_theme(DARK)

    def do_theme_light(self) -> None:
        """Change to the light theme."""
        self._change_theme(LIGHT)

    def do_theme_contrast(self) -> None:
        """Change to the theme with the strongest contrast."""
        self._change_theme(CONTRAST)

    def do_theme_terminal(self) -> None:
        """Change to the terminal's own colours."""
        self._change_theme(TERMINAL)

    def _change_theme(self, name: str) -> None:
        self.app.theme = name
        self.say(
            _('Theme: {name}. theme = "{word}" in the settings keeps it.').format(
                name=_(ACTIONS[f"everywhere.theme-{theme_word(name)}"].label), word=theme_word(name)
            )
        )

    def do_quit(self) -> None:
        """Leave at once."""
        self.app.exit(message=_("Every decision is kept."))


class Dialog(Acting, ModalScreen[ScreenResultType], Generic[ScreenResultType]):
    """Something that stands over a screen until it is answered."""

    ESCAPE_TO_MINIMIZE: ClassVar[bool | None] = False
    DEFAULT_CSS = """
    Dialog {
        align: center middle;
        background: $cm-ground 60%;
        #box { width: 68; max-width: 100%; height: auto; max-height: 100%; background: $cm-ground; layout: vertical; }
        #box Frame { height: auto; }
        #box Column { height: auto; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._start_acting()
        self.key_lines = KeyLines(HINTS[self.SCOPE], self.why_not)
        self.message = MessageLine()
        self.message.display = False

    def say(self, text: str, tone: Tone = Tone.INFO) -> None:
        """Say something below the keys, where until then there is no line."""
        self.message.display = True
        self.message.say(text, tone)

    def refuse(self, reason: str) -> None:
        """Say why nothing happened."""
        self.say(reason, Tone.REFUSED)

    def failed(self, error: BaseException) -> None:
        """Show a failure below the keys."""
        self.say(failure_text(error), Tone.ERROR)

    def type_ahead(self, text: str) -> bool:
        """Take a character typed before an input was there; False when the dialog takes no text."""
        return False
