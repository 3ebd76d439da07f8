"""The training loop (appendix B.1): AdamW, warm-up and half a cosine, clipping, accumulation, early stopping.

The order of examples comes from the seed and the epoch, and the random numbers of a batch from the seed and its
place, so that a run that was killed and is taken up again learns the same.
"""

import math
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import torch

from graphtalk.core import UsageError
from graphtalk.training.checkpoint import Checkpoints, Epoch, Progress
from graphtalk.training.g_retriever import GRetriever
from graphtalk.training.parallel import Processes
from graphtalk.training.prompts import Item
from graphtalk.training.settings import Schedule

Told: TypeAlias = Callable[[Epoch], None]
Advance: TypeAlias = Callable[[int], None]


@dataclass(frozen=True)
class Watch:
    """Who is told how training goes: of each epoch, and of how many examples are done."""

    epoch: Told = lambda _: None
    advance: Advance = lambda _: None


def train(
    model: GRetriever,
    training: Sequence[Item],
    validation: Sequence[Item],
    schedule: Schedule,
    checkpoints: Checkpoints,
    watch: Watch | None = None,
    together: Processes | None = None,
) -> list[Epoch]:
    """Train, or take a run up where its last checkpoint stands; the model ends as it was at its best.

    `together` are the processes that learn the same, all with the same arguments; the first alone writes checkpoints,
    and tells how it goes.
    Raises UsageError where there is nothing to train on, and where the loss is no longer a number.
    """
    if not training or not validation:
        raise UsageError("There is nothing to train on: both splits, training and validation, need examples.")
    optimiser = _optimiser(model, schedule)
    progress = Progress()
    if (taken := checkpoints.take_up(optimiser)) is not None:
        learnt, progress = taken
        model.load_learnt(learnt)
    together = together or Processes()
    watch = watch if watch and together.first else Watch()
    run = _Run(model, optimiser, schedule, checkpoints, progress, together)
    while not run.over:
        run.train_epoch(training, watch.advance)
        run.end_epoch(validation)
        watch.epoch(progress.history[-1])
    together.wait()  # until the best is written
    model.load_learnt(checkpoints.read_best())
    return progress.history


def optimiser_called(name: str) -> type[torch.optim.Optimizer]:
    """AdamW, or that of bitsandbytes, whose states have 8 bits. Raises UsageError where there is no GPU for that."""
    kind: type[torch.optim.Optimizer] = torch.optim.AdamW
    if name == "adamw-8bit":
        if not torch.cuda.is_available():
            raise UsageError("The optimizer adamw-8bit needs an NVIDIA GPU, and there is none: take adamw.")
        try:
            from bitsandbytes.optim import AdamW8bit
        except ImportError as error:
            raise UsageError(
                "The optimizer adamw-8bit needs bitsandbytes, which is not installed: python -m pip install bitsandbytes."
            ) from error
        kind = AdamW8bit
    return kind


def _optimiser(model: GRetriever, schedule: Schedule) -> torch.optim.Optimizer:
    kind = optimiser_called(schedule.optimizer)
    learnt = [value for value in model.parameters() if value.requires_grad]
    return kind(learnt, lr=schedule.rate, betas=schedule.betas, weight_decay=schedule.decay)


def _kept_for_backward(offload: bool) -> AbstractContextManager[object]:
    """Where activations wait for the backward pass: where they are, or in main memory, from which a GPU has them back."""
    waits: AbstractContextManager[object] = nullcontext()
    if offload:
        waits = torch.autograd.graph.save_on_cpu(pin_memory=torch.cuda.is_available())
    return waits


def loss_of(model: GRetriever, items: Sequence[Item], batch: int, together: Processes | None = None) -> float:
    """The mean loss of a batch, nothing being learnt."""
    together = together or Processes()
    model.eval()
    starts = range(0, len(items), batch)
    with torch.no_grad():
        losses = [float(model(items[at : at + batch])) for at in together.part(starts)]
    return together.total(sum(losses)) / len(starts)


def rate_at(schedule: Schedule, epochs: float) -> float:
    """The learning rate after so many epochs: up in a line, then down along half a cosine.

    >>> [round(rate_at(Schedule(rate=1.0, epochs=5), done), 2) for done in (0, 0.5, 1, 3, 5)]
    [0.0, 0.5, 1.0, 0.5, 0.0]
    """
    if epochs < schedule.warmup:
        return schedule.rate * epochs / schedule.warmup
    rest = max(schedule.epochs - schedule.warmup, 1e-9)
    return schedule.rate * 0.5 * (1 + math.cos(math.pi * min((epochs - schedule.warmup) / rest, 1)))


@dataclass(frozen=True)
class _Run:
    model: GRetriever
    optimiser: torch.optim.Optimizer
    schedule: Schedule
    checkpoints: Checkpoints
    progress: Progress
    together: Processes

    @property
    def over(self) -> bool:
        """Whether all epochs are done, or the validation loss has not fallen for too long."""
        best, done = self.progress.best, self.progress.epoch
        stale = best is not None and done - best.number >= self.schedule.patience
        return done >= self.schedule.epochs or stale

    def train_epoch(self, items: Sequence[Item], advance: Advance) -> None:
        """The rest of an epoch."""
        progress, size = self.progress, self.schedule.batch
        order = np.random.default_rng((self.schedule.seed, progress.epoch)).permutation(len(items))
        batches = math.ceil(len(items) / size)
        self.model.train()
        advance(progress.batch * size)
        started = time.perf_counter()
        before = progress.seconds
        while progress.batch < batches:
            at = progress.batch * size
            batch = [items[place] for place in order[at : at + size]]
            progress.loss += self._learn(batch, progress.batch, batches)
            progress.batch += 1
            progress.seconds = before + time.perf_counter() - started
            advance(len(batch))
            # Between two steps of the optimiser there are gradients, which a checkpoint does not hold.
            whole = progress.batch % self.schedule.accumulate == 0
            steps = progress.batch // self.schedule.accumulate
            kept = steps % math.ceil(self.schedule.keep_every / self.schedule.accumulate) == 0
            if whole and kept and self.together.first:
                self.checkpoints.keep(self.model.learnt(), self.optimiser, progress)

    def _learn(self, batch: Sequence[Item], number: int, batches: int) -> float:
        """One batch; a step of the optimiser after every few, and after the last."""
        schedule, epoch, rank = self.schedule, self.progress.epoch, self.together.rank
        drawn = (schedule.seed, epoch, number, *([rank] if rank else []))
        torch.manual_seed(int(np.random.SeedSequence(drawn).generate_state(1)[0]))
        own = self.together.part(batch)
        share = sum(len(item.answer) for item in own) / sum(len(item.answer) for item in batch)
        told = 0.0
        if own:  # of a small batch there may be nothing for this process
            with _kept_for_backward(schedule.offload):
                loss = self.model(own) * share
            told = float(loss.detach())
            (loss / schedule.accumulate).backward()
        told = self.together.total(told)
        if not math.isfinite(told):
            raise UsageError(
                f"The loss is {told} in epoch {epoch + 1}, batch {number + 1}: try a lower learning rate."
            )
        if (number + 1) % schedule.accumulate == 0 or number + 1 == batches:
            for group in self.optimiser.param_groups:
                group["lr"] = rate_at(schedule, epoch + (number + 1) / batches)
            self.together.add_gradients(self.optimiser.param_groups[0]["params"])
            torch.nn.utils.clip_grad_norm_(self.optimiser.param_groups[0]["params"], schedule.clip)
            self.optimiser.step()
            self.optimiser.zero_grad()
        return told

    def end_epoch(self, validation: Sequence[Item]) -> None:
        """Validate, and write the checkpoints: the best first, so that a kill between them loses nothing."""
        progress = self.progress
        self.together.average([] if self.model.soft is None else list(self.model.soft.buffers()))
        loss = loss_of(self.model, validation, self.schedule.batch, self.together)
        progress.history.append(
            Epoch(progress.epoch + 1, progress.loss / progress.batch, loss, progress.seconds)
        )
        progress.epoch += 1
        progress.batch, progress.loss, progress.seconds = 0, 0.0, 0.0
        if not self.together.first:
            return
        if progress.best is progress.history[-1]:
            self.checkpoints.keep_best(self.model.learnt())
        self.checkpoints.keep(self.model.learnt(), self.optimiser, progress)
