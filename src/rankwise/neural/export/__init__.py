"""Official checkpoints written as folders that run without PyTorch.

Needs the official packages once: ``unbabel-comet`` to read a checkpoint, ``onnx`` to write.
"""

from rankwise.neural.export.comet_export import export_comet as export_comet
