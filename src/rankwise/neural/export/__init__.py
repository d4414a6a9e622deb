"""Official checkpoints written as folders that run without PyTorch.

Needs the official packages once: ``unbabel-comet`` to read a checkpoint of COMET's,
``transformers`` to read an encoder, MetricX or BLEURT, ``onnx`` to write.
"""

from rankwise.neural.export.bleurt_export import export_bleurt as export_bleurt
from rankwise.neural.export.comet_export import export_comet as export_comet
from rankwise.neural.export.encoder_export import export_encoder as export_encoder
from rankwise.neural.export.metricx_export import export_metricx as export_metricx
