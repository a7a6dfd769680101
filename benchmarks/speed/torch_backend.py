# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""The device, through PyTorch: matrices, our libraries, and peers."""

import contextlib
import ctypes
import math
import os
import time

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

from problems import ELEMENT_BYTES, SKINNY_M
from rounds import OURS, first_line
from sampler import Sampler

# Together with one matrix that is read again, more than any cache.
ROTATED_BYTES = 512 << 20
SAMPLED_ROWS = 64
WARM_LAUNCHES = 3
# To measure energy, which NVML counts up ten times a second, and before.
ENERGY_SECONDS, WARM_SECONDS = 0.6, 0.2
# In a long run a lower clock alone does not make launches that much slower.
SLOWER = 1.2
# The fewest that PyTorch multiplies in int8, as a multiple of 16.
INT8_ROWS = 32
MOST_ALGORITHMS = 64  # of cuSPARSELt, if it should never refuse one
CYCLES_PER_SECOND = 2e9


class GemmArguments(ctypes.Structure):
    """speed::Problem of gemm_library.h."""

    _fields_ = [
        *((name, ctypes.c_void_p) for name in "ABD"),
        *((name, ctypes.c_size_t) for name in ("AStride", "BStride", "DStride")),
        *((name, ctypes.c_int) for name in "MNK"),
    ]


class AttentionArguments(ctypes.Structure):
    """Problem of attention_library.cu."""

    _fields_ = [
        *((name, ctypes.c_void_p) for name in "QKVO"),
        *((name, ctypes.c_int) for name in ("Length", "Heads", "Head", "IsCausal")),
    ]


class Library:
    """One of our shared libraries."""

    def __init__(self, path):
        self.calls = ctypes.CDLL(path)
        self.calls.create.restype = ctypes.c_void_p
        for call in (self.calls.launch, self.calls.destroy):
            call.argtypes = [ctypes.c_void_p]
            call.restype = None

    def stride_of_a(self, name, k):
        self.calls.stride_of_a.restype = ctypes.c_size_t
        return self.calls.stride_of_a(name.encode(), k)

    def rows_of_a(self, name, m):
        self.calls.rows_of_a.restype = ctypes.c_size_t
        return self.calls.rows_of_a(name.encode(), m)

    def cuts(self, handle):
        """How the D of a multiplication is cut up: rows and columns of a cluster's
        tile, parts of K, tiles, and how many at a time."""
        numbers = (ctypes.c_int * 5)()
        self.calls.cuts.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        self.calls.cuts.restype = None
        self.calls.cuts(handle.handle, numbers)
        return list(numbers)

    def tiles(self, handle):
        """The tiles of attention: rows and number of the tall ones, and of the short
        ones."""
        numbers = (ctypes.c_int * 4)()
        self.calls.tiles.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        self.calls.tiles.restype = None
        self.calls.tiles(handle.handle, numbers)
        return list(numbers)

    def create(self, name, arguments):
        handle = self.calls.create(name.encode(), ctypes.byref(arguments))
        if not handle:
            raise ValueError(f"the library has no {name} for this")
        return Handle(self.calls, handle)


class Handle:
    """A launch of a library, which lives as long as this does."""

    def __init__(self, calls, handle):
        self.calls = calls
        self.handle = ctypes.c_void_p(handle)

    def __call__(self):
        self.calls.launch(self.handle)

    def __del__(self):
        self.calls.destroy(self.handle)


class Contender:
    """Launches that take turns, each on its copy of the matrices. The first one's
    result is compared: `result` gives it, where the launch does not return it. What a
    library was given pointers to must stay: `memory`. How D is cut up: `cuts`; how Q of
    attention is: `tiles`."""

    def __init__(
        self,
        launches,
        check,
        result=None,
        context=None,
        note="",
        memory=None,
        cuts=None,
        tiles=None,
    ):
        self.launches = launches
        self.memory = memory
        self.graphs = {}
        self.check = check
        self.result = result
        self.context = context or contextlib.nullcontext
        self.note = note
        self.cuts = cuts
        self.tiles = tiles

    def error(self):
        returned = self.launches[0]()
        torch.cuda.synchronize()
        return self.check(self.result if self.result is not None else returned)


def random_elements(shape, dtype, kind):
    """As the examples have them: about normal, or such that sums are exact."""
    size = {"device": "cuda"}
    if kind == "normal":
        numbers = torch.randn(shape, **size)
        if dtype == torch.int8:
            return (numbers * 30).round().clamp(-128, 127).to(dtype)
        return numbers.to(dtype)
    if dtype == torch.int8:
        return torch.randint(-128, 128, shape, dtype=dtype, **size)
    most = 2 if dtype == torch.float8_e4m3fn else 16
    return (torch.randint(-most, most + 1, shape, **size) / most).to(dtype)


def kept_elements(rows, columns):
    """Ones and zeros: any two of each four neighbours in a row."""
    pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    table = torch.zeros(6, 4, dtype=torch.uint8, device="cuda")
    for i, pair in enumerate(pairs):
        table[i, list(pair)] = 1
    which = torch.randint(0, 6, (rows, columns // 4), device="cuda")
    return table[which].view(rows, columns)


def padded(rows, columns, stride, values):
    """The values in a matrix with longer rows, and more, and zeros beyond them."""
    if (rows, stride) == tuple(values.shape):
        return values.contiguous()
    # Of 8-bit floating point not all is implemented; bytes are.
    raw = torch.uint8 if values.element_size() == 1 else values.dtype
    whole = torch.zeros(rows, stride, dtype=raw, device="cuda")
    whole[: values.shape[0], :columns] = values.view(raw)
    return whole.view(values.dtype)


def relative_error(got, wanted):
    got, wanted = got.double(), wanted.double()
    if not torch.isfinite(got).all():
        raise ValueError("the result has elements that are not finite")
    return ((got - wanted).abs().max() / wanted.abs().max()).item()


class Matrices:
    """A, B and D of a multiplication, with rows that begin at multiples of 16
    bytes. The contenders get the same A and B."""

    def __init__(self, problem, library):
        m, n, k = problem["m"], problem["n"], problem["k"]
        self.problem = problem
        self.output = getattr(torch, problem["output"])
        dtype = getattr(torch, problem["element"])
        multiple = 16 // ELEMENT_BYTES[problem["element"]]
        a_stride = library.stride_of_a(problem["name"], k)
        a = random_elements((m, k), dtype, problem["data"])
        if problem["sparse"]:
            if problem["data"] == "exact":  # as in the examples: what is kept is not 0
                a = torch.where(a.float() == 0, torch.ones_like(a.float()), a.float())
            a = (a.float() * kept_elements(m, k)).to(dtype)
        self.a = padded(library.rows_of_a(problem["name"], m), k, a_stride, a)
        b = random_elements((n, k), dtype, problem["data"])
        self.b = padded(n, k, math.ceil(k / multiple) * multiple, b)
        multiple = 16 // ELEMENT_BYTES[problem["output"]]
        self.d_stride = math.ceil(n / multiple) * multiple
        self.rows = torch.linspace(0, m - 1, min(m, SAMPLED_ROWS)).long().cuda()
        self.wanted = a.float()[self.rows].double() @ b.double().t()

    def views(self):
        m, n, k = (self.problem[key] for key in "mnk")
        return self.a[:m, :k], self.b[:n, :k]

    def new_d(self):
        m, n = self.problem["m"], self.problem["n"]
        return torch.zeros(m, self.d_stride, dtype=self.output, device="cuda")[:, :n]

    def check(self, d):
        return relative_error(d[self.rows], self.wanted)

    def arguments(self, d):
        m, n, k = (self.problem[key] for key in "mnk")
        return GemmArguments(
            self.a.data_ptr(),
            self.b.data_ptr(),
            d.data_ptr(),
            self.a.stride(0),
            self.b.stride(0),
            d.stride(0),
            m,
            n,
            k,
        )


def copies(problem, first):
    """Of few rows the weights, B, are read from memory each time, as in a model
    with many layers: there are more copies than the cache holds."""
    result = [first]
    if problem["m"] <= SKINNY_M:
        size = first.b.numel() * first.b.element_size()
        for _ in range(math.ceil(ROTATED_BYTES / size)):
            other = object.__new__(Matrices)
            other.__dict__.update(first.__dict__)
            other.b = first.b.clone()
            result.append(other)
    return result


@contextlib.contextmanager
def sums_in_f16():
    settings = torch.backends.cuda.matmul
    before = settings.allow_fp16_accumulation
    settings.allow_fp16_accumulation = True
    try:
        yield
    finally:
        settings.allow_fp16_accumulation = before


def ours(library, problem, every):
    results = [x.new_d() for x in every]
    handles = [
        library.create(problem["name"], x.arguments(d)) for x, d in zip(every, results)
    ]
    return Contender(
        handles,
        every[0].check,
        results[0],
        memory=(every, results),
        cuts=library.cuts(handles[0]),
    )


def cublas(problem, every):
    def launch(x):
        (a, b), d = x.views(), x.new_d()
        bt = b.t()
        return lambda: torch.mm(a, bt, out=d)

    is_f16 = problem["type"] == "f16 sums in f16"
    return Contender(
        [launch(x) for x in every],
        every[0].check,
        context=sums_in_f16 if is_f16 else None,
    )


def cublas_lt(problem, every):
    if problem["element"] == "int8":
        return cublas_lt_int8(problem, every)
    one = torch.ones((), device="cuda")
    is_fast = problem["type"] != "e4m3 promoted"

    def launch(x):
        a, b = x.views()
        bt = b.t()
        return lambda: torch._scaled_mm(
            a, bt, one, one, out_dtype=x.output, use_fast_accum=is_fast
        )

    note = "" if is_fast else "use_fast_accum=False"
    return Contender([launch(x) for x in every], every[0].check, note=note)


def cublas_lt_int8(problem, every):
    """PyTorch wants more than 16 rows: fewer are made up to 32 with zeros. As many
    columns of B are read, which is what takes the time there."""
    m, first = problem["m"], every[0]
    a = first.views()[0]
    if m <= INT8_ROWS // 2:
        a = torch.nn.functional.pad(a, (0, 0, 0, INT8_ROWS - m))

    def launch(x):
        bt = x.views()[1].t()
        return lambda: torch._int_mm(a, bt)

    note = "" if len(a) == m else f"A with zeros to {INT8_ROWS} rows"
    return Contender(
        [launch(x) for x in every], lambda d: first.check(d[:m]), note=note
    )


def tried_cusparse_lt(x, kept, bt, out):
    """The fastest algorithm that does not split K, found without the library's
    search: that tries others, too."""

    def launch(algorithm):
        return torch._cslt_sparse_mm(kept, bt, out_dtype=out, alg_id=algorithm)

    start, end = (torch.cuda.Event(enable_timing=True) for _ in "se")
    times = {}
    for algorithm in range(MOST_ALGORITHMS):
        try:
            launch(algorithm)
        except RuntimeError:
            torch.cuda.synchronize()
            break
        start.record()
        for _ in range(WARM_LAUNCHES):
            launch(algorithm)
        end.record()
        end.synchronize()
        times[algorithm] = start.elapsed_time(end)
    best = min(times, key=times.get)
    note = f"algorithm {best} of {len(times)}"
    return Contender([lambda: launch(best)], x.check, note=note)


def cusparse_lt(problem, every, is_transposed, is_tried=False):
    x = every[0]
    a, b = x.views()
    kept, bt = torch._cslt_compress(a), b.t()
    out = None if problem["element"] in ("float16", "bfloat16") else x.output
    if is_tried:
        return tried_cusparse_lt(x, kept, bt, out)
    try:
        algorithm, split, mode, _ = torch._C._cusparselt.mm_search(
            kept, bt, None, None, out, is_transposed
        )
        note = f"searched: algorithm {algorithm}, split {split}"
    except Exception as error:
        algorithm, split, mode = 0, 1, -1
        note = f"not searched: {first_line(error)}"

    def launch():
        return torch._cslt_sparse_mm(
            kept,
            bt,
            out_dtype=out,
            transpose_result=is_transposed,
            alg_id=algorithm,
            split_k=split,
            split_k_mode=mode,
        )

    def check(d):
        return x.check(d.t() if is_transposed else d)

    return Contender([launch], check, note=note)


def cutlass(library, problem, every, kernel):
    x = every[0]
    m, n = problem["m"], problem["n"]
    if kernel.endswith("f16"):
        d = result = torch.zeros(m, n, dtype=torch.float16, device="cuda")
    else:
        d = torch.zeros(n, m, dtype=torch.float32, device="cuda")
        result = d.t()
    handle = library.create(kernel, x.arguments(d))
    return Contender([handle], x.check, result, memory=(every, d))


class Attention:
    """Q, K, V, and some rows of the result."""

    def __init__(self, problem):
        self.problem = problem
        shape = (1, problem["heads"], problem["length"], problem["head"])
        dtype = getattr(torch, problem["element"])
        self.q, self.k, self.v = (
            random_elements(shape, dtype, "normal") for _ in "qkv"
        )
        length = problem["length"]
        self.rows = torch.linspace(0, length - 1, min(length, SAMPLED_ROWS)).long()
        self.rows = self.rows.cuda()
        scores = self.q[:, :, self.rows].double() @ self.k.double().mT
        scores /= math.sqrt(problem["head"])
        if problem["causal"]:
            columns = torch.arange(length, device="cuda")
            scores.masked_fill_(columns > self.rows[:, None], -math.inf)
        self.wanted = scores.softmax(-1) @ self.v.double()

    def check(self, o):
        return relative_error(o[:, :, self.rows], self.wanted)

    def ours(self, library):
        p, o = self.problem, torch.zeros_like(self.q)
        handle = library.create(
            p["name"],
            AttentionArguments(
                *(x.data_ptr() for x in (self.q, self.k, self.v, o)),
                p["length"],
                p["heads"],
                p["head"],
                p["causal"],
            ),
        )
        return Contender(
            [handle], self.check, o, memory=self, tiles=library.tiles(handle)
        )

    def cudnn(self):
        def launch():
            return torch.nn.functional.scaled_dot_product_attention(
                self.q, self.k, self.v, is_causal=self.problem["causal"]
            )

        return Contender(
            [launch],
            self.check,
            context=lambda: sdpa_kernel(SDPBackend.CUDNN_ATTENTION),
        )


def issue(run, first, count):
    """Launches from that one on, in turns on the copies of the matrices."""
    for i in range(first, first + count):
        run.launches[i % len(run.launches)]()


class Backend:
    def __init__(self, folder):
        torch.manual_seed(1)
        torch.set_grad_enabled(False)
        self.folder = folder
        self.libraries = {}
        self.sampler = Sampler()
        self.start, self.end = (torch.cuda.Event(enable_timing=True) for _ in "se")

    def library(self, name):
        if name not in self.libraries:
            self.libraries[name] = Library(os.path.join(self.folder, f"{name}.so"))
        return self.libraries[name]

    def machine(self):
        properties = torch.cuda.get_device_properties(0)
        versions = {"PyTorch": torch.__version__, "CUDA": torch.version.cuda}
        versions["cuDNN"] = torch.backends.cudnn.version()
        with contextlib.suppress(Exception):
            versions["cuSPARSELt"] = torch.backends.cusparselt.version()
        return {
            "gpu": properties.name,
            "multiprocessors": properties.multi_processor_count,
            "versions": versions,
            **self.sampler.machine(),
        }

    def contenders(self, problem):
        library = self.library(problem["library"])
        if problem["kind"] == "attention":
            data = Attention(problem)
            return {OURS: lambda: data.ours(library), "cuDNN": data.cudnn}
        every = copies(problem, Matrices(problem, library))
        makers = {OURS: lambda: ours(library, problem, every)}
        for peer in problem["peers"]:
            makers[peer] = self.peer(peer, problem, every)
        return makers

    def peer(self, peer, problem, every):
        if peer == "cuBLAS":
            return lambda: cublas(problem, every)
        if peer == "cublasLt":
            return lambda: cublas_lt(problem, every)
        if peer.startswith("cuSPARSELt"):
            form = peer.removeprefix("cuSPARSELt").removeprefix(", ")
            return lambda: cusparse_lt(
                problem, every, form == "D transposed", form == "K not split"
            )
        kernel = peer.removeprefix("CUTLASS 62, ").replace(", D of", "")
        return lambda: cutlass(self.library("cutlass_sparse"), problem, every, kernel)

    def synchronize(self):
        torch.cuda.synchronize()

    def release(self):
        self.synchronize()
        torch.cuda.empty_cache()

    def host_seconds(self, run):
        torch.cuda.synchronize()
        begun = time.perf_counter()
        issue(run, 0, WARM_LAUNCHES)
        return (time.perf_counter() - begun) / WARM_LAUNCHES

    def interval(self, run, warm, count, rest):
        """No launch waits for the host, so that a call's cost on the host does not
        count. What waits for the device itself is tried as a graph."""
        torch.cuda.synchronize()
        torch.cuda._sleep(int(rest * CYCLES_PER_SECOND))
        issue(run, 0, warm)
        self.start.record()
        issue(run, warm, count)
        is_ahead = not self.start.query()
        span = self.await_end()
        if not is_ahead and self.replay(run, warm, count):
            is_ahead, span = True, self.replayed
        return self.start.elapsed_time(self.end) / 1000 / count, is_ahead, span

    def await_end(self):
        """When the device was at the event `start`, and when it has come to the end of
        what was issued. Clock and power are those of the time between, not of the rest
        before."""
        self.end.record()
        self.start.synchronize()
        begun = time.monotonic()
        self.end.synchronize()
        return begun, time.monotonic()

    def joules(self, run, each):
        """Of a launch, in a long run of them; `each` is about how long one takes. None
        where it is not counted, or the device waits."""
        count = max(1, round((ENERGY_SECONDS + WARM_SECONDS) / each))
        torch.cuda.synchronize()
        start = time.monotonic()
        issue(run, 0, count)
        torch.cuda.synchronize()
        end = time.monotonic()
        took = (end - start) / count
        if took > each * SLOWER:
            return None  # the device has waited for the host
        watts = self.sampler.mean_watts(start + WARM_SECONDS, end)
        return watts and watts * took

    def replay(self, run, warm, count):
        """Times the launches as one graph, where they can be captured."""
        try:
            if count not in run.graphs:
                graph = torch.cuda.CUDAGraph()
                with torch.cuda.graph(graph):
                    issue(run, 0, count)
                run.graphs[count] = graph
            for _ in range(-(-warm // count)):
                run.graphs[count].replay()
            self.start.record()
            run.graphs[count].replay()
            self.replayed = self.await_end()
        except RuntimeError:
            return False
        return True

    def samples(self, start, end):
        return self.sampler.samples(start, end)
