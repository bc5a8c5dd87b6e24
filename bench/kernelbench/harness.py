#!/usr/bin/env python3
"""Times Tesela's kernels beside PyTorch on KernelBench's problems, on a machine with a GPU and PyTorch.

    python3 harness.py KERNELBENCH OUT [--level 1] [--compile] [--limit SECONDS] [NAME...]
    python3 harness.py KERNELBENCH OUT --dry [NAME...]      no GPU, no PyTorch: are all libraries and problems there?

KERNELBENCH is the benchmark's folder (with level1/ and level2/ in it or below KernelBench/), OUT holds the libraries
that make.ts compiled; a NAME is the beginning of a library's ("level1-036"). For each problem the model and its inputs
are made on the GPU, eager PyTorch runs once as the reference (single precision, no TF32), the library gets the same
tensors, both results are compared by KernelBench's tolerance (1e-4 absolute and relative), and both are timed by CUDA
events in the same process on the same stream; --compile times torch.compile, too. A line of JSON per problem:

    name, ok, worst (largest difference over its tolerance; 1 is the limit), abs (largest difference), mismatches (of
    integers), eager_us, ours_us, compile_us (medians; _min and _max beside each), speedup (eager over ours), scratch
    (bytes that the library allocates per call, from a pool that keeps them), converted (inputs of another type), error

A problem that spoils the process (a CUDA error) or does not answer ends the process; the others go on in a new one.
"""
import argparse
import ctypes
import gc
import glob
import importlib.util
import json
import os
import queue
import statistics
import subprocess
import sys
import threading
import time

SEED = 42
TOLERANCE = 1e-4
SAMPLES = 7
SAMPLE_MS = 3.0


def libraries(args):
    names = sorted(os.path.basename(f)[:-3] for f in glob.glob(os.path.join(args.out, "level*.so")))
    return [
        n
        for n in names
        if (args.level is None or n.startswith(f"level{args.level}-"))
        and (not args.names or any(n.startswith(w.replace("/", "-")) for w in args.names))
    ]


def load(args, name):
    """The library with its interface."""
    lib = ctypes.CDLL(os.path.join(os.path.abspath(args.out), name + ".so"))
    lib.kernelbench_info.restype = ctypes.c_char_p
    lib.kernelbench_error.restype = ctypes.c_char_p
    lib.kernelbench_run.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    return lib, json.loads(lib.kernelbench_info().decode())


def load_runtime(args):
    """CUDA's runtime that the libraries ask for, unless the machine has it anyway."""
    for f in glob.glob(os.path.join(os.path.abspath(args.out), "libcudart.so.*")):
        ctypes.CDLL(f, mode=ctypes.RTLD_GLOBAL)


def problem_file(args, problem):
    level, number = problem.split("/")
    for root in (args.kernelbench, os.path.join(args.kernelbench, "KernelBench")):
        found = glob.glob(os.path.join(root, level, f"{number}_*.py"))
        if found:
            return found[0]
    raise RuntimeError(f"there is no file of problem {problem}")


def dry(args):
    load_runtime(args)
    bad = 0
    for name in libraries(args):
        try:
            lib, info = load(args, name)
            problem_file(args, info["problem"])
            known = [n for n, _ in info["inputs"]] + info["outputs"]
            arrays = info["arrays"]
            assert sorted(known) == sorted(a["name"] for a in arrays), f"{known} and {arrays}"
            for a in arrays:
                assert (a["role"] == "in") == (a["name"] not in info["outputs"]), f"{a['name']} is {a['role']}"
            # Null pointers, no device: the host function goes as far as CUDA lets it.
            error = lib.kernelbench_run((ctypes.c_void_p * len(arrays))(), None)
            said = lib.kernelbench_error(error).decode()
            print(json.dumps({"name": name, "arrays": [a["name"] for a in arrays], "run": said}), flush=True)
        except Exception as e:  # noqa: BLE001
            bad += 1
            print(json.dumps({"name": name, "error": f"{type(e).__name__}: {e}"}), flush=True)
    return bad


# What follows runs in a process of its own.


def median_of(torch, f):
    """Microseconds of a call: median, least and greatest of samples of some milliseconds each."""

    def events_ms(repeats):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        for _ in range(repeats):
            f()
        end.record()
        end.synchronize()
        return start.elapsed_time(end) / repeats

    f()
    torch.cuda.synchronize()
    once = events_ms(1)
    if once > 2000:
        return once * 1e3, once * 1e3, once * 1e3
    repeats = max(1, min(2000, int(SAMPLE_MS / max(once, 1e-3)) + 1))
    if once < 1:  # the first reading has the launch's cost in it
        once = events_ms(repeats)
        repeats = max(1, min(2000, int(SAMPLE_MS / max(once, 1e-3)) + 1))
    samples = [events_ms(repeats) * 1e3 for _ in range(SAMPLES if once < 200 else 3)]
    return statistics.median(samples), min(samples), max(samples)


def compared(torch, ours, reference):
    """Whether they agree, the largest difference over its tolerance, the largest difference, integers that differ."""
    ours, reference = ours.reshape(-1), reference.reshape(-1)
    if ours.numel() != reference.numel():
        raise RuntimeError(f"{ours.numel()} elements for {reference.numel()}")
    worst, largest, mismatches, step = 0.0, 0.0, 0, 1 << 26
    for at in range(0, ours.numel(), step):
        a, b = ours[at : at + step], reference[at : at + step]
        if not b.is_floating_point():
            mismatches += int((a.long() != b.long()).sum().item())
            continue
        difference = (a - b).abs_()
        difference.masked_fill_((a == b) | (a.isnan() & b.isnan()), 0)  # infinities, too
        difference.masked_fill_(difference.isnan(), float("inf"))
        largest = max(largest, difference.max().item())
        tolerance = b.abs().mul_(TOLERANCE).add_(TOLERANCE)
        share = difference.div_(tolerance)
        share.masked_fill_(share.isnan(), float("inf"))
        worst = max(worst, share.max().item())
    return worst <= 1 and mismatches == 0, worst, largest, mismatches


def one(torch, args, name):
    row = {"name": name, "device": torch.cuda.get_device_name(), "torch": torch.__version__}
    lib, info = load(args, name)
    types = {
        "f32": torch.float32,
        "f64": torch.float64,
        "f16": torch.float16,
        "i64": torch.int64,
        "i32": torch.int32,
        "i16": torch.int16,
        "i8": torch.int8,
        "u8": torch.uint8,
    }
    spec = importlib.util.spec_from_file_location("problem_" + name.replace("-", "_"), problem_file(args, info["problem"]))
    module = importlib.util.module_from_spec(spec)
    row["scratch"] = info["scratch"]
    with torch.no_grad():
        # Made on the GPU; the context would slow every later call down.
        with torch.device("cuda"):
            spec.loader.exec_module(module)
            torch.manual_seed(SEED)
            init = module.get_init_inputs()
            torch.manual_seed(SEED)
            model = module.Model(*init).cuda()
            torch.manual_seed(SEED)
            inputs = [x.cuda() if isinstance(x, torch.Tensor) else x for x in module.get_inputs()]
        given = [x for x in inputs if isinstance(x, torch.Tensor)]
        state = {k: v.detach().clone().contiguous() for k, v in model.state_dict().items()}

        # Arrays of the call: inputs in their order, entries of the state, results.
        tensors = iter(given)
        declared = {a["name"]: a for a in info["arrays"]}
        arrays, converted = {}, []
        for parameter, key in info["inputs"]:
            t = next(tensors) if key is None else state[key]
            wanted = types[declared[parameter]["type"]]
            t = t.contiguous()
            if t.dtype == torch.bool and wanted == torch.uint8:
                t = t.view(torch.uint8)
            if t.dtype != wanted:
                converted.append(f"{parameter}: {t.dtype} to {wanted}")
                t = t.to(wanted)
            arrays[parameter] = t
        if converted:
            row["converted"] = converted
        if next(tensors, None) is not None:
            raise RuntimeError("the problem has more inputs than the program")
        for parameter in info["outputs"]:
            a = declared[parameter]
            t = torch.empty(a["bytes"] // types[a["type"]].itemsize, dtype=types[a["type"]], device="cuda")
            arrays[parameter] = t.fill_(float("nan") if t.is_floating_point() else -7)
        for a in info["arrays"]:
            if a["name"] not in arrays:
                raise RuntimeError(f"the array {a['name']} is neither an input nor a result")
            t = arrays[a["name"]]
            if t.numel() * t.element_size() != a["bytes"]:
                raise RuntimeError(f"{a['name']} has {t.numel() * t.element_size()} bytes, not {a['bytes']}")

        versions = [x._version for x in given]
        reference = model(*inputs)
        torch.cuda.synchronize()
        if versions != [x._version for x in given]:
            row["note"] = "the model changes its inputs"
        reference = list(reference) if isinstance(reference, (tuple, list)) else [reference]
        torch.cuda.empty_cache()  # the library's scratch memory is CUDA's, not PyTorch's
        pointers = (ctypes.c_void_p * len(info["arrays"]))(*[arrays[a["name"]].data_ptr() for a in info["arrays"]])
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)

        def ours():
            error = lib.kernelbench_run(pointers, stream)
            if error != 0:
                raise RuntimeError(f"CUDA error {error}: {lib.kernelbench_error(error).decode()}")

        lib.kernelbench_keep()
        ours()
        torch.cuda.synchronize()
        if len(reference) != len(info["outputs"]):
            raise RuntimeError(f"{len(reference)} results, not {len(info['outputs'])}")
        results = [compared(torch, arrays[p], r) for p, r in zip(info["outputs"], reference)]
        row["ok"] = all(r[0] for r in results)
        row["worst"] = max(r[1] for r in results)
        row["abs"] = max(r[2] for r in results)
        if any(r[3] for r in results):
            row["mismatches"] = sum(r[3] for r in results)
        del reference
        gc.collect()
        torch.cuda.empty_cache()

        def timed(what, f):
            try:
                row[what + "_us"], row[what + "_us_min"], row[what + "_us_max"] = median_of(torch, f)
            except Exception as e:  # noqa: BLE001
                row[what + "_error"] = f"{type(e).__name__}: {e}"[:300]
                if is_fatal(str(e)):
                    raise

        timed("ours", ours)
        lib.kernelbench_trim()
        timed("eager", lambda: model(*inputs))
        if args.compile:
            torch._dynamo.reset()
            fast = torch.compile(model)
            timed("compile", lambda: fast(*inputs))
            del fast
    if "ours_us" in row and "eager_us" in row:
        row["speedup"] = row["eager_us"] / row["ours_us"]
    return row


def is_fatal(message):
    """Whether the process cannot go on with CUDA afterwards."""
    return "CUDA error" in message and "out of memory" not in message


def work(args):
    import torch

    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.set_float32_matmul_precision("highest")
    torch.backends.cudnn.benchmark = True
    torch.zeros(1, device="cuda")
    load_runtime(args)
    for name in args.names:
        started = time.time()
        try:
            row = one(torch, args, name)
        except Exception as e:  # noqa: BLE001
            row = {"name": name, "error": f"{type(e).__name__}: {e}"[:500]}
        row["wall_s"] = round(time.time() - started, 2)
        print(json.dumps(row), flush=True)
        if is_fatal(row.get("error", "")):
            return 3
        gc.collect()
        try:
            torch.cuda.empty_cache()
        except Exception:  # noqa: BLE001
            return 3
    return 0


def supervise(args):
    rest = libraries(args)
    if not rest:
        print("there is nothing to do: no library of that name", file=sys.stderr)
        return 2
    deadline = time.time() + args.limit if args.limit else None
    patience = args.patience or (240 if args.compile else 90)
    while rest:
        command = [sys.executable, os.path.abspath(__file__), args.kernelbench, args.out, "--worker"]
        command += (["--compile"] if args.compile else []) + rest
        child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        lines = queue.Queue()

        def reader(child=child, lines=lines):
            for line in child.stdout:
                lines.put(line)
            lines.put(None)

        threading.Thread(target=reader, daemon=True).start()
        done, why = 0, None
        while True:
            wait = patience if deadline is None else min(patience, deadline - time.time())
            try:
                line = lines.get(timeout=max(0.1, wait))
            except queue.Empty:
                why = "no answer" if deadline is None or time.time() < deadline else "the time is up"
                break
            if line is None:
                break
            if not line.startswith("{"):
                sys.stderr.write(line)
                continue
            sys.stdout.write(line)
            sys.stdout.flush()
            done += 1
            if deadline is not None and time.time() > deadline:
                why = "the time is up"
                break
        if why is not None:
            child.kill()
        code = child.wait()
        if why == "the time is up":
            for name in rest[done:]:
                print(json.dumps({"name": name, "error": why}), flush=True)
            return 1
        if code != 3 and done < len(rest):  # 3: it said itself what failed
            print(json.dumps({"name": rest[done], "error": why or f"the process ended with {code}"}), flush=True)
            done += 1
        rest = rest[done:]
    return 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kernelbench")
    parser.add_argument("out")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--level")
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--limit", type=float, help="seconds for all")
    parser.add_argument("--patience", type=float, help="seconds for one problem")
    parser.add_argument("--dry", action="store_true")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_intermixed_args()
    sys.exit(dry(args) if args.dry else work(args) if args.worker else supervise(args))


if __name__ == "__main__":
    main()
