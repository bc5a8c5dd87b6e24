# What the vendor's libraries take for the same work on the same device (PyTorch: cuBLAS, cuDNN, CUB; float32, no TF32).
# Prints one JSON object: name -> median nanoseconds. Usage: python3 vendor.py [products]: all, or only the products of PolyBench
# at EXTRALARGE (of the triangular ones the whole products with the same extents).
import json, sys, torch, statistics
torch.backends.cuda.matmul.allow_tf32 = False
torch.backends.cudnn.allow_tf32 = False
torch.backends.cudnn.benchmark = True
def ns(f, reps=None):
    for _ in range(3): f()
    torch.cuda.synchronize()
    a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    a.record(); f(); b.record(); torch.cuda.synchronize()
    n = max(1, min(200, int(5.0 / max(1e-3, a.elapsed_time(b)))))
    out = []
    for _ in range(9):
        a.record()
        for _ in range(n): f()
        b.record(); torch.cuda.synchronize()
        out.append(a.elapsed_time(b) * 1e6 / n)
    return statistics.median(out)
r = {}
rand = lambda *s: torch.rand(*s, device='cuda') * 2 - 1
for m, n, k in ((2000, 2300, 2600), (1600, 1800, 2200), (1600, 2400, 1800), (1600, 1800, 2000), (1800, 2200, 2400), (1600, 2200, 1800), (2000, 2600, 2000), (2600, 2600, 2000)):
    P, Q, O = rand(m, k), rand(k, n), torch.empty(m, n, device='cuda')
    r[f'product {m}x{n}x{k}'] = ns(lambda: torch.mm(P, Q, out=O))
P, O = rand(2600, 2000), torch.empty(2600, 2600, device='cuda')
r['product-nt 2600x2600x2000'] = ns(lambda: torch.mm(P, P.T, out=O))
A, B, C = rand(4096, 4096), rand(4096, 4096), torch.empty(4096, 4096, device='cuda')
r['gemm 4096'] = ns(lambda: torch.mm(A, B, out=C))
r['gemm-nt 4096'] = ns(lambda: torch.mm(A, B.T, out=C))
r['gemm-tn 4096'] = ns(lambda: torch.mm(A.T, B, out=C))
r['gemm-tt 4096'] = ns(lambda: torch.mm(A.T, B.T, out=C))
if sys.argv[1:] == ['products']:
    print(json.dumps({'device': torch.cuda.get_device_name(), 'torch': torch.__version__, 'ns': r}))
    sys.exit()
for m, n, k in ((512,) * 3, (1024,) * 3, (2048,) * 3, (1000,) * 3, (8192,) * 3, (4095, 4097, 4093), (4096, 64, 4096), (64, 4096, 4096), (128, 128, 65536), (16384, 1024, 256), (1, 4096, 4096), (4096, 1, 4096)):
    P, Q = rand(m, k), rand(k, n)
    r[f'matmul {m}x{n}x{k}'] = ns(lambda: torch.mm(P, Q))
for m, n in ((4096, 4096), (8191, 8193), (64, 2**20)):
    P, Q = rand(m, n), torch.empty(n, m, device='cuda')
    r[f'transpose {m}x{n}'] = ns(lambda: Q.copy_(P.T))
X, Y, Z = rand(512, 256, 256), rand(512, 256, 256), torch.empty(512, 256, 256, device='cuda')
r['batched-gemm'] = ns(lambda: torch.bmm(X, Y, out=Z))
T, U = rand(8192, 8192), torch.empty(8192, 8192, device='cuda')
r['transpose 8192'] = ns(lambda: U.copy_(T.T))
r['copy 8192'] = ns(lambda: U.copy_(T))
x = rand(2**27); y = rand(2**27)
r['sum 2^27'] = ns(lambda: torch.sum(x))
for b in (20, 24):
    r[f'sum 2^{b}'] = ns(lambda: torch.sum(x[:2**b]))
    r[f'max 2^{b}'] = ns(lambda: torch.max(x[:2**b]))
r['max 2^27'] = ns(lambda: torch.max(x))
r['dot 2^27'] = ns(lambda: torch.dot(x, y))
z = torch.empty_like(x)
r['saxpy 2^27'] = ns(lambda: torch.add(y, x, alpha=2.0, out=z))
r['argmax 2^27'] = ns(lambda: torch.argmax(x))
r['norm 2^27'] = ns(lambda: torch.linalg.vector_norm(x))
for b in (256, 4096, 65536): r[f'histogram 2^27, {b} bins'] = ns(lambda: torch.histc(x, b, -1, 1))
for b in (20, 24, 27):
    r[f'scan 2^{b}'] = ns(lambda: torch.cumsum(x[:2**b], 0))
Q = x.view(8192, 16384)
for d in (0, 1): r[f'scan 8192x16384 axis {d}'] = ns(lambda: torch.cumsum(Q, d))
M = rand(16384, 16384)
r['rowsum 16384'] = ns(lambda: torch.sum(M, 1))
r['colsum 16384'] = ns(lambda: torch.sum(M, 0))
v = rand(16384)
r['gemv 16384'] = ns(lambda: torch.mv(M, v))
I = rand(1, 1, 4096, 4096)
for k in (3, 7, 17):
    W = rand(1, 1, k, k)
    r[f'conv2d {k}'] = ns(lambda: torch.nn.functional.conv2d(I, W))
for xs, ws, p, g in (((8, 64, 56, 56), (64, 64, 3, 3), 1, 1), ((8, 256, 28, 28), (256, 256, 3, 3), 1, 1), ((8, 256, 56, 56), (64, 256, 1, 1), 0, 1), ((8, 128, 112, 112), (128, 1, 3, 3), 1, 128)):
    J, W = rand(*xs), rand(*ws)
    r[f'conv2d {"x".join(map(str, xs))} with {"x".join(map(str, ws))}'] = ns(lambda: torch.nn.functional.conv2d(J, W, padding=p, groups=g))
H, V = rand(1, 1, 1, 17), rand(1, 1, 17, 1)
r['separable 17'] = ns(lambda: torch.nn.functional.conv2d(torch.nn.functional.conv2d(I, H, padding=(0, 8)), V, padding=(8, 0)))
V, W, H = rand(4096, 8192).abs(), rand(4096, 64).abs(), rand(64, 8192).abs()
def nmf():
    w = W * (V @ H.T) / (W @ (H @ H.T))
    return H * (w.T @ V) / ((w.T @ w) @ H)
r['nmf 4096x8192 rank 64'] = ns(nmf)
print(json.dumps({'device': torch.cuda.get_device_name(), 'torch': torch.__version__, 'ns': r}))
