"""The offline annotator: Graph-ToolFormer's calls without a language model, on a CPU."""

from graphtalk.reasoners.toolformer.offline.annotating import OfflineAnnotator
from graphtalk.reasoners.toolformer.offline.catalogue import DataSet, shipped_catalogue
from graphtalk.reasoners.toolformer.offline.guards import shipped_guards
from graphtalk.reasoners.toolformer.offline.loading import shipped_loader
from graphtalk.reasoners.toolformer.offline.model import shipped_classifier
from graphtalk.reasoners.toolformer.offline.rewriting import shipped_rewriter


def open_offline_annotator(more: tuple[DataSet, ...] = ()) -> OfflineAnnotator:
    """The annotator that ships with the package; `more` are further data sets that texts may name."""
    catalogue = shipped_catalogue().with_data(more)
    return OfflineAnnotator(
        catalogue, shipped_classifier(), shipped_rewriter(), shipped_loader(), shipped_guards()
    )


__all__ = ["DataSet", "OfflineAnnotator", "open_offline_annotator"]
