"""Networks with weights of eight bits."""

from pathlib import Path


def quantize(file: Path) -> None:
    """Replaces the network in *file* by one whose weights are whole numbers of eight bits."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    large = file.with_name(file.name + ".data").exists()
    out = file.with_name("int8-" + file.name)
    quantize_dynamic(
        file,
        out,
        op_types_to_quantize=["MatMul", "Attention"],
        per_channel=True,
        weight_type=QuantType.QInt8,
        use_external_data_format=large,
        extra_options={"DefaultTensorType": 1},  # float, where the fused operations do not say
    )
    file.unlink()
    file.with_name(file.name + ".data").unlink(missing_ok=True)
    out.rename(file)
