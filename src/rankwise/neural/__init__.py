"""Neural models of translation quality that were exported to ONNX, run without PyTorch.

A folder holds the network, its tokenizer and what its makers do around it (``settings.json``);
``open_model`` reads it, and a model gives the scores of segments, with error spans where it marks
them. ``rankwise.neural.export`` writes such folders out of official checkpoints.
"""

from rankwise.neural.model_folder import ModelFolder as ModelFolder
from rankwise.neural.model_folder import ModelSettings as ModelSettings
from rankwise.neural.opening import NeuralModel as NeuralModel
from rankwise.neural.opening import open_model as open_model
from rankwise.neural.text_encoder import TextEncoder as TextEncoder
from rankwise.neural.text_encoder import open_encoder as open_encoder
