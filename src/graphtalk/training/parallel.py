"""Several processes that learn the same model, each from a part of each batch, on a GPU each: by accelerate.

    graphtalk train g-retriever … --processes 2          # starts them, as does
    accelerate launch --multi_gpu --num_processes 2 -m graphtalk train g-retriever …

What is learnt does not depend on how many there are but for dropout and batch normalisation, which are of a process's own part:
each weighs its part of a batch by the tokens that are learnt in it, and gradients are added up before each step of the
optimiser. Without GPUs they talk by gloo.
"""

import logging
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from graphtalk.core import UsageError

T = TypeVar("T")


@dataclass(frozen=True)
class Processes:
    """This process among all that learn. `accelerator` is accelerate's; None where it is alone."""

    rank: int = 0
    count: int = 1
    accelerator: Any = None

    @property
    def first(self) -> bool:
        """Whether it is the one that writes files and answers."""
        return self.rank == 0

    def part(self, items: Sequence[T]) -> Sequence[T]:
        """What of some items is this process's."""
        return items[self.rank :: self.count]

    def total(self, number: float) -> float:
        """The sum of a number over all processes."""
        if self.accelerator is None:
            return number
        import torch

        told = torch.tensor(number, dtype=torch.float64, device=self.accelerator.device)
        return float(self.accelerator.reduce(told, "sum"))

    def add_gradients(self, parameters: Sequence[Any]) -> None:
        """Give each parameter the sum of its gradients in all processes."""
        if self.accelerator is None:
            return
        import torch

        grads = [torch.zeros_like(each) if each.grad is None else each.grad for each in parameters]
        whole = self.accelerator.reduce(torch.cat([grad.flatten().float() for grad in grads]), "sum")
        parts = whole.split([grad.numel() for grad in grads])
        for each, grad, part in zip(parameters, grads, parts, strict=True):
            each.grad = part.view_as(grad).to(grad)

    def average(self, buffers: Sequence[Any]) -> None:
        """Give running means of batch normalisation their mean over all processes."""
        for each in buffers if self.accelerator is not None else ():
            if each.is_floating_point():
                each.copy_(self.accelerator.reduce(each.clone(), "mean"))

    def wait(self) -> None:
        """Wait until all processes are here."""
        if self.accelerator is not None:
            self.accelerator.wait_for_everyone()

    @property
    def place(self) -> Any:
        """Where `from_pretrained` puts a model: on all GPUs there are, or on that of this process."""
        return "auto" if self.accelerator is None else {"": self.accelerator.device}


@cache
def processes() -> Processes:
    """This process among those that were launched together; alone where none were."""
    if not launched():
        return Processes()
    import torch
    from accelerate import Accelerator

    accelerator = Accelerator(cpu=not torch.cuda.is_available())
    return Processes(accelerator.process_index, accelerator.num_processes, accelerator)


def launched() -> bool:
    """Whether this process is one of several that torchrun or accelerate launched."""
    return int(os.environ.get("WORLD_SIZE", "1")) > 1


def launch(count: int, arguments: Sequence[str]) -> int:
    """Run `graphtalk` with these arguments in so many processes at once. Returns the exit status.

    What they say is said once, by the first of them, without torchrun's own account of a failure. Raises UsageError where
    another fails before it, or where there are fewer GPUs; without any, processes share the processor.
    """
    import torch
    from torch.distributed.elastic.multiprocessing.errors import ChildFailedError
    from torch.distributed.run import parse_args, run

    gpus = torch.cuda.device_count()
    if 0 < gpus < count:
        raise UsageError(f"--processes {count} needs a GPU each, and there are {gpus}: give at most {gpus}.")
    if not gpus:
        os.environ.setdefault("OMP_NUM_THREADS", "1")
    logging.getLogger("torch.distributed.elastic").setLevel(logging.CRITICAL)
    line = ["--standalone", f"--nproc-per-node={count}", "--local-ranks-filter=0", "-m", "graphtalk"]
    try:
        run(parse_args([*line, *arguments]))
    except ChildFailedError as error:
        rank, failure = error.get_first_failure()
        if rank:
            raise UsageError(
                f"Process {rank + 1} of {count} ended with status {failure.exitcode}: --processes 1 shows why."
            ) from None
        return int(failure.exitcode)
    return 0
