"""What forgetting would take away, and the line in which its name is typed before anything happens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar

from textual.content import Content

from clawmem_core.review.forget.derived import Selector
from clawmem_core.review.forget.forgetting import ForgetPlan
from clawmem_tui.keys import Scope
from clawmem_tui.safe import content, safe
from clawmem_tui.screens.modals.box import LineBox
from clawmem_tui.theme import GLYPHS, Ink
from clawmem_tui.widgets.forgettext import plan_lines, selector_words
from clawmem_tui.widgets.inputs import LineInput
from clawmem_tui.widgets.lines import paragraph
from clawmem_tui.words import _


class NameInput(LineInput):
    """The name of what is to be forgotten."""

    SCOPE = Scope.FORGET


class Forget(LineBox[ForgetPlan | None]):
    """Answers the plan whose name was typed, or None when nothing is to be forgotten."""

    SCOPE: ClassVar[Scope] = Scope.FORGET
    DEFAULT_CSS = """
    Forget {
        #box { width: 92%; min-width: 80; height: auto; }
    }
    """

    def __init__(self, choices: Sequence[Selector], plan_of: Callable[[Selector], ForgetPlan]) -> None:
        """Offer plans for `choices`, of which there is at least one; `plan_of` works one out, slowly."""
        super().__init__(content(_("Forget: a plan, nothing is changed")))
        self._choices, self._plan_of = choices, plan_of
        self._place = 0
        self.plan: ForgetPlan | None = None
        """The plan on the screen; None while it is worked out."""
        self.input = NameInput(placeholder=_("the name, exactly; nothing happens before"))

    def on_mount(self) -> None:
        """Work out the first plan."""
        super().on_mount()
        self._choose(0)

    def lines(self, width: int) -> list[Content]:
        """Return the plan, and what else could be forgotten from here."""
        lines = []
        for place, selector in enumerate(self._choices):
            mark = GLYPHS.bar if place == self._place else " "
            ink = Ink.BRIGHT if place == self._place else Ink.DIM
            lines.append(Content.assemble((f"{mark} ", Ink.ACCENT), (selector_words(selector), ink)))
        lines.append(Content(""))
        if self.plan is None:
            return [*lines, *paragraph(_("Looking for everything that came from there…"), width, Ink.DIM)]
        typed = _("To forget it all, type: {name}").format(name=safe(self.plan.name))
        return [*lines, *plan_lines(self.plan, width), *paragraph(typed, width, Ink.BRIGHT)]

    def do_save(self) -> None:
        """Answer the plan, if its name was typed."""
        if self.plan is None:
            self.refuse(_("The plan is not worked out yet."))
        elif self.input.value != self.plan.name:
            self.refuse(_("Nothing was forgotten: type the name exactly, {name}.").format(name=safe(self.plan.name)))
        else:
            self.dismiss(self.plan)

    def do_cancel(self) -> None:
        """Forget nothing."""
        self.dismiss(None)

    def do_next(self) -> None:
        """Plan to forget the next of what can be named here."""
        self._choose(self._place + 1)

    def do_previous(self) -> None:
        """Plan to forget the one before."""
        self._choose(self._place - 1)

    def _choose(self, place: int) -> None:
        self._place = place % len(self._choices)
        self.plan = None
        self._show()
        chosen = self._choices[self._place]
        self.work("plan", partial(self._plan_of, chosen), partial(self._planned, self._place))

    def _planned(self, place: int, plan: ForgetPlan) -> None:
        if place == self._place:
            self.plan = plan
            self._show()

    def _show(self) -> None:
        self.paper.show(self.lines, None)
        self.fit()
