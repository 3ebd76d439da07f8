"""What became of the agents' replies."""

from dataclasses import dataclass, field

from graphtalk.lms.protocol import Usage


@dataclass
class Tally:
    """What became of the agents' replies. `wrong` were caught by the sample check, `stood_in` had no use at all."""

    requests: int = 0
    repaired: int = 0
    stood_in: int = 0
    checked: int = 0
    wrong: int = 0
    usage: Usage = field(default_factory=Usage)

    @property
    def said(self) -> str:
        """The same in words; empty where no model was asked."""
        if not self.requests:
            return ""
        checks = (
            f" {self.checked:,} checked, {self.wrong:,} of them wrong and put right;" if self.checked else ""
        )
        return (
            f"{self.requests:,} replies of agents:{checks} {self.repaired:,} asked for again, "
            f"{self.stood_in:,} replaced by the compiled step."
        )
