# PyTorch beside the operations of tesela/ops: the same arguments, times by CUDA events (single precision, no TF32), and
# whether the elements that collection.ts read are PyTorch's. Usage:
#   python3 collection.py CASES.json compile K N       fills the cache of torch.compile with every Nth operation from K
#   python3 collection.py CASES.json OURS.json OUT.json [eager|compiled]        both, or one of them
# For each operation: eager_us, compiled_us (medians of 7 samples of calls back to back), replayed_us (the eager call
# recorded in a CUDA graph: the device alone), error (largest difference of an element over max(1, |PyTorch's|)).
import json
import math
import os
import statistics
import sys
import time
import warnings

import torch
import torch.nn.functional as F

warnings.filterwarnings("ignore")
torch.backends.cuda.matmul.allow_tf32 = False
torch.backends.cudnn.allow_tf32 = False
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
DTYPES = {"f32": torch.float32, "i32": torch.int32, "u32": torch.int32}
WORD = 0xFFFFFFFF


def mixed(x):
    x = x ^ (x >> 16)
    x = (x * 0x21F0AAAD) & WORD
    x = x ^ (x >> 15)
    x = (x * 0x735A2D97) & WORD
    return x ^ (x >> 15)


# The numbers that the shader of collection.ts makes.
def filled(array):
    count, fill, parts = math.prod(array["shape"]), array["fill"], []
    kind, end = fill["kind"], fill.get("end", 1)
    for at in range(0, count, 1 << 26):
        i = torch.arange(at, min(count, at + (1 << 26)), device=DEVICE, dtype=torch.int64)
        bits = mixed(mixed(i) ^ array["seed"])
        if kind in ("uniform", "diagonal"):
            x = (bits >> 8).to(torch.float32) / 16777216.0 * fill.get("span", 1) + fill.get("low", 0)
            if kind == "diagonal":
                x = torch.where((i // end) % end == i % end, torch.full_like(x, end), x)
        else:
            x = {
                "below": lambda: (bits >> 8) % end,
                "steps": lambda: i * end,
                "words": lambda: torch.where(bits >= 1 << 31, bits - (1 << 32), bits),
                "spread": lambda: ((i * 40503) & WORD) % end,
            }[kind]()
            x = x.to(torch.float32 if array["type"] == "f32" else torch.int32)
        parts.append(x)
    return torch.cat(parts).reshape(array["shape"])


def hashed(n, seed):
    i = torch.arange(n, device=DEVICE, dtype=torch.int64)
    return (mixed(mixed(i) ^ seed) >> 8).to(torch.float32) / 16777216.0


def replicated(x, pad):
    return F.pad(x[:, None], (pad,) * 4, mode="replicate")


def scatter_add(y, place, x, **_):
    return y.index_add_(0, place, x)


def csr(start, column, value, x, **_):
    m = torch.sparse_csr_tensor(start, column, value, (start.numel() - 1, x.numel()))
    return lambda: m @ x


def kernel3(*rows):
    return torch.tensor(rows, device=DEVICE, dtype=torch.float32)[None, None]


def sobel(x):
    across = kernel3([-1, 0, 1], [-2, 0, 2], [-1, 0, 1])
    both = torch.cat((across, across.transpose(2, 3)))
    return lambda: torch.linalg.vector_norm(F.conv2d(replicated(x, 1), both), dim=1)


def laplacian(x):
    w = kernel3([0, 1, 0], [1, -4, 1], [0, 1, 0])
    return lambda: F.conv2d(replicated(x, 1), w)[:, 0]


def poisson(x):
    w = kernel3([0, -1, 0], [-1, 4, -1], [0, -1, 0])
    return lambda: F.conv2d(x[None, None], w, padding=1)[0, 0]


def separable(x, down, across, **_):
    w = torch.outer(down, across)[None, None]
    return lambda: F.conv2d(replicated(x, 2), w)[:, 0]


def colour(x, rows):
    m = torch.tensor(rows, device=DEVICE)
    return lambda: torch.matmul(m, x)


YUV = [[0.299, 0.587, 0.114], [-0.147108, -0.288804, 0.435912], [0.614777, -0.514799, -0.099978]]
RGB = [[1.0, 0.0, 1.14025], [1.0, -0.39473, -0.58081], [1.0, 2.03252, 0.0]]


def rope(x, cosine, sine, **_):
    c, s = cosine[:, None], sine[:, None]
    return lambda: torch.stack((x[:, :, 0] * c - x[:, :, 1] * s, x[:, :, 1] * c + x[:, :, 0] * s), 2)


def conjugate_step(x, r, p, q, alpha, **_):
    def step():
        x.add_(p, alpha=alpha)
        r.sub_(q, alpha=alpha)
        return {"x": x, "r": r, "squares": torch.dot(r, r)[None]}

    return step


# The fused step of PyTorch's optimisers; it computes the corrections from the number of steps.
def adam_step(weight, gradient, first, second, rate, beta1, beta2, epsilon, correction1, correction2, **_):
    def step():
        first.lerp_(gradient, 1 - beta1)
        second.mul_(beta2).addcmul_(gradient, gradient, value=1 - beta2)
        weight.addcdiv_(first, (second / correction2).sqrt_().add_(epsilon), value=-rate / correction1)
        return {"weight": weight, "first": first, "second": second}

    return step


def quantize(x, **_):
    def quantized():
        top = x.abs().amax((1, 2))
        q = torch.round(x * (127 / top)[:, None, None]).to(torch.int8)
        return {"y": q.view(torch.int32)[..., 0], "scale": top / 127}

    return quantized


def dequantize4(x, scale, **_):
    places = torch.arange(28, -1, -4, device=DEVICE, dtype=torch.int32)
    return lambda: (((x[..., None] << places) >> 28) * scale[..., None, None]).flatten(2)


# PyTorch has no solver for three diagonals: the elimination, a row of all systems at a time.
def tridiagonal(below, diagonal, above, right, **_):
    def solve():
        factor, x, f, v = [], [], torch.zeros_like(right[0]), torch.zeros_like(right[0])
        for a, d, c, b in zip(below, diagonal, above, right):
            pivot = d - a * f
            f, v = c / pivot, (b - a * v) / pivot
            factor.append(f)
            x.append(v)
        for i in range(len(x) - 2, -1, -1):
            x[i] = x[i] - factor[i] * x[i + 1]
        return torch.stack(x)

    return solve


BINOMIAL = torch.tensor([1.0, 4, 6, 4, 1]) / 16

# What is called of PyTorch for each operation: a function of the arguments (in a dictionary) that gives the function to
# time. What can be prepared once is; a result is a tensor, or a dictionary of them where there are several.
CALLS = {
    "scatterAdd": lambda a: lambda: scatter_add(**a),
    "embeddingSum": lambda a: lambda: F.embedding_bag(a["place"], a["x"], mode="sum"),
    "less": lambda a: lambda: a["a"] < a["b"],
    "lessEqual": lambda a: lambda: a["a"] <= a["b"],
    "equal": lambda a: lambda: a["a"] == a["b"],
    "cumulativeProduct": lambda a: lambda: torch.cumprod(a["x"], 1),
    "rgbToGray": lambda a: (lambda w: lambda: a["rgb"] @ w)(torch.tensor([0.299, 0.587, 0.114], device=DEVICE)),
    "boxBlur3": lambda a: lambda: F.avg_pool2d(replicated(a["x"], 1), 3, 1)[:, 0],
    "upsample2": lambda a: lambda: F.interpolate(a["x"][:, None], scale_factor=2)[:, 0],
    "softmax": lambda a: lambda: torch.softmax(a["x"], 1),
    "logSoftmax": lambda a: lambda: torch.log_softmax(a["x"], 1),
    "layerNorm": lambda a: lambda: F.layer_norm(a["x"], a["x"].shape[1:], a["gain"], a["bias"], a["epsilon"]),
    "rmsNorm": lambda a: lambda: F.rms_norm(a["x"], a["x"].shape[1:], a["gain"], a["epsilon"]),
    "groupNorm": lambda a: (
        lambda x, g, b: lambda: F.group_norm(x, a["x"].shape[1], g, b, a["epsilon"]).view(a["x"].shape)
    )(a["x"].flatten(1, 2), a["gain"].flatten(), a["bias"].flatten()),
    "batchNorm": lambda a: lambda: F.batch_norm(
        a["x"], a["mean"], a["variance"], a["gain"], a["bias"], False, 0.0, a["epsilon"]
    ),
    "maxPool2": lambda a: lambda: F.max_pool2d(a["x"][:, None], 2)[:, 0],
    "averagePool2": lambda a: lambda: F.avg_pool2d(a["x"][:, None], 2)[:, 0],
    "maxPool3": lambda a: lambda: F.max_pool2d(a["x"][:, None], 3, 1)[:, 0],
    "globalAveragePool": lambda a: lambda: a["x"].mean(1),
    "resizeBilinear": lambda a: lambda: F.interpolate(
        a["x"][:, None], size=(a["rows"], a["columns"]), mode="bilinear", align_corners=False
    )[:, 0],
    "gaussianBlur5": lambda a: (lambda w: lambda: F.conv2d(replicated(a["x"], 2), w)[:, 0])(
        torch.outer(BINOMIAL, BINOMIAL)[None, None].to(DEVICE)
    ),
    "gather": lambda a: lambda: a["x"].index_select(0, a["place"]),
    "gatherElements": lambda a: (lambda p: lambda: a["x"].gather(1, p))(a["place"].long()),
    "slice": lambda a: lambda: a["x"][:, a["before"] : a["before"] + a["kept"]].clone(
        memory_format=torch.contiguous_format
    ),
    "concat": lambda a: lambda: torch.cat((a["a"], a["b"]), 1),
    "pad": lambda a: lambda: F.pad(a["x"], (a["before"], a["after"]), value=a["value"]),
    "where": lambda a: (lambda c: lambda: torch.where(c, a["a"], a["b"]))(a["condition"].bool()),
    "oneHot": lambda a: (lambda l: lambda: F.one_hot(l, a["width"]).float())(a["label"].long()),
    "csrProduct": lambda a: csr(**a),
    "sigmoid": lambda a: lambda: torch.sigmoid(a["x"]),
    "gelu": lambda a: lambda: F.gelu(a["x"]),
    "geluTanh": lambda a: lambda: F.gelu(a["x"], approximate="tanh"),
    "silu": lambda a: lambda: F.silu(a["x"]),
    "swiglu": lambda a: lambda: F.silu(a["gate"]) * a["x"],
    "softplus": lambda a: lambda: F.softplus(a["x"]),
    "mish": lambda a: lambda: F.mish(a["x"]),
    "elu": lambda a: lambda: F.elu(a["x"], a["alpha"]),
    "leakyRelu": lambda a: lambda: F.leaky_relu(a["x"], a["slope"]),
    "hardSwish": lambda a: lambda: F.hardswish(a["x"]),
    "greater": lambda a: lambda: a["a"] > a["b"],
    "greaterEqual": lambda a: lambda: a["a"] >= a["b"],
    "notEqual": lambda a: lambda: a["a"] != a["b"],
    "isNan": lambda a: lambda: torch.isnan(a["x"]),
    "clamp": lambda a: lambda: torch.clamp(a["x"], a["least"], a["most"]),
    "cumulativeSum": lambda a: lambda: torch.cumsum(a["x"], 1),
    "cumulativeSumBefore": lambda a: lambda: torch.cumsum(F.pad(a["x"], (1, 0))[:, :-1], 1),
    "reverseCumulativeSum": lambda a: lambda: torch.cumsum(a["x"].flip(1), 1).flip(1),
    "cumulativeMax": lambda a: lambda: torch.cummax(a["x"], 1).values,
    "cumulativeMin": lambda a: lambda: torch.cummin(a["x"], 1).values,
    "argmax": lambda a: lambda: torch.argmax(a["x"], 1),
    "argmin": lambda a: lambda: torch.argmin(a["x"], 1),
    "crossEntropy": lambda a: (lambda l: lambda: F.cross_entropy(a["x"], l, reduction="none"))(a["label"].long()),
    "squaredError": lambda a: lambda: F.mse_loss(a["x"], a["target"], reduction="none").mean(1),
    "huberLoss": lambda a: lambda: F.huber_loss(a["x"], a["target"], reduction="none", delta=a["delta"]).mean(1),
    "klDivergence": lambda a: lambda: F.kl_div(a["x"], a["target"], reduction="none").sum(1),
    "binaryCrossEntropy": lambda a: lambda: F.binary_cross_entropy_with_logits(
        a["x"], a["target"], reduction="none"
    ).mean(1),
    "sobel": lambda a: sobel(a["x"]),
    "laplacian": lambda a: laplacian(a["x"]),
    "dilate3": lambda a: lambda: F.max_pool2d(a["x"][:, None], 3, 1, 1)[:, 0],
    "erode3": lambda a: lambda: -F.max_pool2d(-a["x"][:, None], 3, 1, 1)[:, 0],
    "separableFilter5": lambda a: separable(**a),
    "rgbToYuv": lambda a: colour(a["rgb"], YUV),
    "yuvToRgb": lambda a: colour(a["yuv"], RGB),
    "normalizeChannels": lambda a: lambda: (a["x"] - a["mean"][:, None]) / a["deviation"][:, None],
    "flipRows": lambda a: lambda: a["x"].flip(2),
    "depthToSpace2": lambda a: lambda: F.pixel_shuffle(a["x"].flatten(1, 2), 2)[:, 0],
    "spaceToDepth2": lambda a: lambda: F.pixel_unshuffle(a["x"][:, None], 2),
    "lowerTriangle": lambda a: lambda: torch.tril(a["x"]),
    "reverse": lambda a: lambda: a["x"].flip(1),
    "roll": lambda a: lambda: torch.roll(a["x"], a["shift"], 1),
    "repeat": lambda a: lambda: a["x"][:, None].repeat(1, a["times"], 1),
    "outer": lambda a: lambda: torch.outer(a["a"], a["b"]),
    "scatter": lambda a: (lambda p: lambda: a["y"].index_copy_(0, p, a["x"]))(a["place"].long()),
    "distances": lambda a: lambda: torch.cdist(a["a"], a["b"]),
    "manhattanDistances": lambda a: lambda: torch.cdist(a["a"], a["b"], p=1),
    "cosineSimilarity": lambda a: lambda: F.cosine_similarity(a["a"], a["b"], eps=a["epsilon"]),
    "l2Normalize": lambda a: lambda: F.normalize(a["x"], eps=a["epsilon"]),
    "attention": lambda a: (
        lambda q, k, v: lambda: F.scaled_dot_product_attention(q, k, v, scale=a["scale"])[0]
    )(a["q"][None], a["k"][None], a["v"][None]),
    "rope": lambda a: rope(**a),
    "residual": lambda a: lambda: torch.addmv(a["b"], a["a"], a["x"], alpha=-1),
    "conjugateStep": lambda a: conjugate_step(**a),
    "conjugateDirection": lambda a: lambda: torch.add(a["r"], a["p"], alpha=a["beta"], out=a["p"]),
    "dot": lambda a: lambda: torch.dot(a["a"], a["b"])[None],
    "tridiagonalSolve": lambda a: tridiagonal(**a),
    "poisson": lambda a: poisson(a["x"]),
    "adamStep": lambda a: adam_step(**a),
    "quantizeInt8": lambda a: quantize(**a),
    "dequantizeInt8": lambda a: lambda: a["x"].view(torch.int8).view(*a["x"].shape, 4) * a["scale"][:, None, None],
    "matmulInt8": lambda a: lambda: a["x"]
    @ (a["w"].view(torch.int8).view(a["w"].shape[0], -1) * a["scale"][:, None]).T,
    "dequantizeInt4": lambda a: dequantize4(**a),
    "randomUniform": lambda a: lambda: torch.rand(a["n"], device=DEVICE),
    "randomNormal": lambda a: lambda: torch.randn(a["n"], device=DEVICE),
}

# Results to compare with where PyTorch's own are others: random numbers.
WANTED = {
    "randomUniform": lambda a: hashed(a["n"], a["seed"]),
    "randomNormal": lambda a: (
        lambda u: torch.sqrt(-2 * torch.log(u[0::2] + 2.0**-24)) * torch.cos(6.2831853 * u[1::2])
    )(hashed(2 * a["n"], a["seed"])),
}


def prepared(case):
    given = {a["name"]: filled(a) for a in case["arrays"] if a["role"] != "out"}
    return {**case["sizes"], **case["numbers"], **given}


def error_of(case, ours, results):
    worst = 0.0
    outs = [a for a in case["arrays"] if a["role"] != "in"]
    if not isinstance(results, dict):
        results = {outs[0]["name"]: results}
    for name, parts in ours["samples"].items():
        want = results[name].reshape(-1)
        for part in parts:
            w = want[part["from"] : part["from"] + len(part["values"])].double().cpu()
            g = torch.tensor([math.nan if v is None else v for v in part["values"]], dtype=torch.float64)
            if next(a for a in case["arrays"] if a["name"] == name)["type"] == "u32":
                g, w = g % 2.0**32, w % 2.0**32
            far = (g - w).abs() / w.abs().clamp(min=1)
            worst = max(worst, math.inf if far.isnan().any() else far.max().item())
    return worst


def microseconds(f, sample_ms=15.0):
    def events(repeats):
        a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        a.record()
        for _ in range(repeats):
            f()
        b.record()
        b.synchronize()
        return a.elapsed_time(b) * 1000 / repeats

    for _ in range(3):
        f()
    torch.cuda.synchronize()
    each = events(5)
    repeats = max(1, min(4000, math.ceil(sample_ms * 1000 / max(each, 1))))
    for _ in range(3):
        events(repeats)
    return statistics.median(events(repeats) for _ in range(7))


# Without the host: ten calls recorded in a graph. None where PyTorch cannot record them.
def replayed(f):
    try:
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            for _ in range(10):
                f()
        return microseconds(graph.replay) / 10
    except Exception:  # noqa: BLE001
        torch.cuda.synchronize()
        return None


def compiled(case, args):
    # A graph that is specialised for these sizes, as the eager call is; nothing is kept between operations.
    torch._dynamo.reset()
    g = torch.compile(CALLS[case["name"]](args), dynamic=False)
    g()
    return g


def device_name():
    return torch.cuda.get_device_name() if DEVICE == "cuda" else "cpu"


def main():
    cases = json.load(open(sys.argv[1]))
    if sys.argv[2] == "compile":
        k, n = int(sys.argv[3]), int(sys.argv[4])
        for case in cases[k::n]:
            try:
                compiled(case, prepared(case))
            except Exception as e:  # noqa: BLE001
                print(case["name"], type(e).__name__, str(e)[:120], flush=True)
            torch.cuda.empty_cache()
        return
    parts = sys.argv[4] if len(sys.argv) > 4 else "both"
    ours = {r["name"]: r for r in json.load(open(sys.argv[2]))["rows"]}
    rows, deadline = [], time.monotonic() + float(os.environ.get("LIMIT_S", "400"))
    for case in cases:
        if time.monotonic() > deadline or case["name"] not in ours:
            continue
        name, row = case["name"], {"name": case["name"]}
        try:
            args = prepared(case)
            call = CALLS[name](args)
            mine = ours.get(name, {})
            if parts != "compiled":
                want = WANTED[name](args) if name in WANTED else call()
                row["error"] = error_of(case, mine, want) if "samples" in mine else math.inf
                row["ok"] = row["error"] < 1e-3
                want = None
                if DEVICE == "cuda":
                    row["eager_us"] = microseconds(call)
                    row["replayed_us"] = replayed(call)
            if parts != "eager" and DEVICE == "cuda":
                try:
                    row["compiled_us"] = microseconds(compiled(case, args))
                except Exception as e:  # noqa: BLE001
                    row["compile_error"] = f"{type(e).__name__}: {e}"[:200]
        except Exception as e:  # noqa: BLE001
            row.update(failed=f"{type(e).__name__}: {e}"[:300], ok=False, error=math.inf)
        args = call = None
        if DEVICE == "cuda":
            torch.cuda.empty_cache()
        rows.append({k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in row.items()})
        us = ours[name].get("us", math.nan)
        ratios = " ".join(f"{(row.get(k) or math.nan) / us:7.2f}" for k in ("eager_us", "replayed_us", "compiled_us"))
        said = row.get("failed", row.get("compile_error", ""))[:60]
        print(f"{name:22} {us:9.1f} {ratios} {row.get('error', math.nan):8.1e} {said}", flush=True)
        json.dump(
            {"device": device_name(), "torch": torch.__version__, "rows": rows},
            open(sys.argv[3], "w"),
        )


main()
