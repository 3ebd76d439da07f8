"""Training the reader's network: bfloat16 where that is fast, with masters in float32; resumable, on a GPU where there is one."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, distributed

from graphtalk.search.transformer import LAYERS, load_weights
from graphtalk.training.reader.network import Batch, ReaderNetwork, losses
from graphtalk.training.reader.ranking import Ranker


@dataclass(frozen=True)
class Schedule:
    """How long and how fast to learn. `encoder_rate` is for MiniLM's layers, `rate` for what is new.

    The rates fall in a line until the steps or the seconds are over, whichever comes first.
    """

    steps: int
    rate: float = 1e-3
    encoder_rate: float = 1e-4
    warmup: int = 40
    decay: float = 0.01
    save_every: int = 100
    seconds: float = float("inf")


def minilm_weights(folder: Path) -> dict[str, Tensor]:
    """MiniLM's weights (`model.safetensors`) by the names that they have here."""
    from safetensors.torch import load_file

    names = {k.removeprefix("bert."): v for k, v in load_file(str(folder / "model.safetensors")).items()}
    kinds = names["embeddings.token_type_embeddings.weight"][0]
    found = {
        "words.weight": names["embeddings.word_embeddings.weight"],
        "places.weight": names["embeddings.position_embeddings.weight"] + kinds,
    }
    theirs = {"word_norm": "embeddings.LayerNorm"}
    for i in range(LAYERS):
        own, layer = f"encoder.{i}", f"encoder.layer.{i}"
        for part in ("weight", "bias"):
            parts = [names[f"{layer}.attention.self.{name}.{part}"] for name in ("query", "key", "value")]
            found[f"{own}.qkv.{part}"] = torch.cat(parts)
        theirs |= {
            f"{own}.out": f"{layer}.attention.output.dense",
            f"{own}.norm": f"{layer}.attention.output.LayerNorm",
            f"{own}.up": f"{layer}.intermediate.dense",
            f"{own}.down": f"{layer}.output.dense",
            f"{own}.norm2": f"{layer}.output.LayerNorm",
        }
    for own, name in theirs.items():
        found |= {f"{own}.{part}": names[f"{name}.{part}"] for part in ("weight", "bias")}
    return found


def load_minilm(network: ReaderNetwork | Ranker, folder: Path) -> None:
    """Puts MiniLM's weights into a new network: its embeddings and first layers."""
    own = network.state_dict()
    network.load_state_dict({n: w for n, w in minilm_weights(folder).items() if n in own}, strict=False)


def weights_of(path: Path, device: torch.device | str = "cpu") -> dict[str, Tensor]:
    """Weights to start from: of a run (`.pt`), or as the package has them (`.npz`, by the names of the networks here)."""
    if path.suffix == ".npz":
        found = {}
        for name, values in load_weights([path]).items():
            room, _, rest = name.partition(".")
            own = {"ranker": f"encoder.{rest}", "ranked": rest}.get(room, name)
            found[own] = torch.from_numpy(values).to(device)
        return found
    state = torch.load(path, map_location=device, weights_only=True)
    return dict(state.get("weights", state))


def number_type(device: torch.device) -> torch.dtype:
    """What to compute in: bfloat16, but not on processors whose bfloat16 is sixty times slower than float32 (AVX2)."""
    wide = device.type != "cpu" or torch.backends.cpu.get_cpu_capability().startswith("AVX512")
    return torch.bfloat16 if wide else torch.float32


class Learner:
    """A network, float32 masters of what it learns, and their optimiser."""

    def __init__(self, network: ReaderNetwork, schedule: Schedule, device: torch.device) -> None:
        self.schedule, self.device = schedule, device
        self.network = network.to(device)
        for p in (*network.words.parameters(), *network.places.parameters(), *network.word_norm.parameters()):
            p.requires_grad_(False)
        for layer in network.encoder[: network.frozen]:
            for p in layer.parameters():
                p.requires_grad_(False)
        self.learnt = [(n, p) for n, p in network.named_parameters() if p.requires_grad]
        self.masters = [p.detach().float().clone() for _, p in self.learnt]
        network.to(number_type(device))
        rates = [schedule.encoder_rate if n.startswith("encoder.") else schedule.rate for n, _ in self.learnt]
        groups = [
            {
                "params": [m for m, r in zip(self.masters, rates, strict=True) if r == rate],
                "lr": rate,
                "first": rate,
            }
            for rate in sorted(set(rates))
        ]
        self.optimiser = torch.optim.AdamW(
            groups, betas=(0.9, 0.98), weight_decay=schedule.decay, foreach=True
        )
        self.step = 0
        self._started = time.monotonic()

    def learn(self, batch: Batch) -> tuple[float, float]:
        """One step: the mean loss of the batch's questions, and which part of its actions is right."""
        self.network.train()
        scores = self.network(batch)
        loss = losses(scores, batch)
        (loss.mean() / 8).backward()
        for master, (_, p) in zip(self.masters, self.learnt, strict=True):
            master.grad = torch.zeros_like(master) if p.grad is None else p.grad.float()
            p.grad = None
        gradients = [m.grad for m in self.masters if m.grad is not None]
        if distributed.is_initialized():
            flat = torch.cat([g.flatten() for g in gradients])
            distributed.all_reduce(flat)
            flat /= distributed.get_world_size()
            for g, part in zip(gradients, flat.split([g.numel() for g in gradients]), strict=True):
                g.copy_(part.view_as(g))
        torch.nn.utils.clip_grad_norm_(self.masters, 1.0)
        for group in self.optimiser.param_groups:
            group["lr"] = group["first"] * self._pace()
        self.optimiser.step()
        for master, (_, p) in zip(self.masters, self.learnt, strict=True):
            p.data.copy_(master)
        self.step += 1
        with torch.no_grad():
            best = scores.masked_fill(~batch.allowed, -1e9).argmax(-1)
            asked = batch.right >= 0
            whole = ((best == batch.right) | ~asked).all(-1).float().mean()
        return float(loss.detach().mean()), float(whole)

    def _pace(self) -> float:
        s = self.schedule
        if self.step < s.warmup:
            return (self.step + 1) / s.warmup
        done = max((self.step - s.warmup) / max(1, s.steps - s.warmup), self.seconds / s.seconds)
        return 0.02 + 0.98 * max(0.0, 1 - done)

    @property
    def seconds(self) -> float:
        """How long this run has taken."""
        return time.monotonic() - self._started

    def state(self) -> dict[str, object]:
        """What `resume` needs."""
        learnt = {n: m.detach().clone() for (n, _), m in zip(self.learnt, self.masters, strict=True)}
        return {
            "weights": {**self.network.state_dict(), **learnt},
            "optimiser": self.optimiser.state_dict(),
            "step": self.step,
        }

    def save(self, path: Path) -> None:
        """Writes the state, whole or not at all."""
        partial = path.with_suffix(".partial")
        torch.save(self.state(), partial)
        partial.replace(path)

    def load(self, path: Path, *, resume: bool) -> None:
        """Weights, and with `resume` the optimiser and the step too."""
        state = torch.load(path, map_location=self.device, weights_only=True) if resume else {}
        weights = state["weights"] if resume else weights_of(path, self.device)
        # Weights to start from may know less than the network: the rest starts new.
        self.network.load_state_dict(weights, strict=resume)
        for master, (n, _) in zip(self.masters, self.learnt, strict=True):
            if n in weights:
                master.data.copy_(weights[n])
        if resume:
            firsts = [group["first"] for group in self.optimiser.param_groups]
            self.optimiser.load_state_dict(state["optimiser"])
            for group, first in zip(self.optimiser.param_groups, firsts, strict=True):
                group["first"] = first
            self.step = int(state["step"])


def train(learner: Learner, batches: Iterator[Batch], path: Path, told: Callable[[str], None]) -> None:
    """Learns until the schedule's steps or seconds are over; saves as it goes. A run of the same path goes on."""
    first = not distributed.is_initialized() or distributed.get_rank() == 0
    sums, count = [0.0, 0.0], 0
    while learner.step < learner.schedule.steps:
        loss, whole = learner.learn(next(batches).to(learner.device))
        sums, count = [sums[0] + loss, sums[1] + whole], count + 1
        if learner.step % 20 == 0 and first:
            loss, whole = (each / count for each in sums)
            told(f"step {learner.step} loss {loss:.3f} whole {whole:.3f} {learner.seconds:.0f} s")
            sums, count = [0.0, 0.0], 0
        if learner.step % learner.schedule.save_every == 0 and first:
            learner.save(path)
        if learner.seconds > learner.schedule.seconds:
            break
    if first:
        learner.save(path)
