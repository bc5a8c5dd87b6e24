# References of others for the library's tests: scikit-learn's factorisations from the same start, libsvm's models and predictions.
#   python3 bench/reference.py        (Debian: python3-sklearn, libsvm-tools; writes test/kernels/operations/reference/{nmf,svm}.json)
import json, os, subprocess, tempfile
import numpy as np
import sklearn
from sklearn.decomposition import non_negative_factorization

folder = os.path.join(os.path.dirname(__file__), '../test/kernels/operations/reference')
rng = np.random.default_rng(11)
short = lambda a: [float(f'{x:.7g}') for x in np.asarray(a).ravel()]

def write(name, value):
    with open(os.path.join(folder, name), 'w') as f:
        json.dump(value, f, separators=(',', ':'))
        f.write('\n')

m, n, rank, iterations = 13, 19, 4, 40
v, w, h = rng.random((m, n)), rng.random((m, rank)), rng.random((rank, n))
v[rng.random((m, n)) < 0.2] = 0
results = {}
for loss in ['frobenius', 'kullback-leibler']:
    a, b, _ = non_negative_factorization(v, W=w.copy(), H=h.copy(), n_components=rank, init='custom', solver='mu', beta_loss=loss, max_iter=iterations, tol=0)
    results[loss] = {'w': short(a), 'h': short(b)}
write('nmf.json', {'made by': f'scikit-learn {sklearn.__version__}, solver mu, tol 0', 'm': m, 'n': n, 'rank': rank, 'iterations': iterations, 'v': short(v), 'w': short(w), 'h': short(h), 'results': results})

def lines(y, x):
    return ''.join(f'{label} ' + ' '.join(f'{i + 1}:{value:.6g}' for i, value in enumerate(row) if abs(value) > 0.15) + '\n' for label, row in zip(y, x))

samples, features = 90, 5
x = rng.normal(size=(samples, features))
classes = np.array([3, -1, 7])[(np.digitize(x[:, 0] + 0.4 * x[:, 1] ** 2, [-0.3, 0.8]))]
value = x[:, 0] * 1.5 - x[:, 1] + 0.1 * rng.normal(size=samples)
fresh = rng.normal(size=(40, features))
cases = []
with tempfile.TemporaryDirectory() as folder_:
    for kind, kernel, options in [(0, 0, ''), (0, 1, '-d 3 -r 1 -g 0.3'), (0, 2, '-g 0.4'), (0, 3, '-g 0.05 -r 0.1'), (1, 2, '-n 0.2'), (2, 2, '-n 0.3'), (3, 2, ''), (4, 0, '')]:
        path = lambda s: os.path.join(folder_, s)
        regression = kind >= 3
        open(path('train'), 'w').write(lines(value if regression else classes, x))
        open(path('test'), 'w').write(lines(np.zeros(len(fresh)), fresh))
        subprocess.run(['svm-train', '-q', '-s', str(kind), '-t', str(kernel), *options.split(), path('train'), path('model')], check=True)
        subprocess.run(['svm-predict', path('test'), path('model'), path('out')], check=True, stdout=subprocess.DEVNULL)
        cases.append({'model': open(path('model')).read(), 'predictions': [float(s) for s in open(path('out'))]})
kept = np.where(np.abs(fresh) > 0.15, [[float(f'{v:.6g}') for v in row] for row in fresh], 0)
version = subprocess.run(['dpkg-query', '-W', '-f=${Version}', 'libsvm-tools'], capture_output=True, text=True).stdout
write('svm.json', {'made by': f'svm-train and svm-predict of libsvm {version}', 'features': features, 'samples': short(kept), 'cases': cases})
