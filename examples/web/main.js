// A page that multiplies, blurs and factorises on the visitor's GPU, says how long it took, and draws how close that is to
// what the GPU can do. It imports nothing but `tesela/kernels` (see the import map in index.html).
import { open } from 'tesela/kernels'

const byId = (id) => document.getElementById(id)
const controls = ['multiply', 'width', 'factorise'].map(byId)
const points = new Map()
let roof = { bytes: 0, flop: 0 }

/** Nanoseconds of one `f`, repeated until the timer's steps do not matter; by the wall where the device has no timestamps. */
async function nanoseconds(gpu, f) {
  f().dispose()
  await gpu.sync()
  let count = 1
  for (;;) {
    const start = performance.now()
    const device = await gpu.time(() => { for (let i = 0; i < count; i++) f().dispose() })
    const wall = (performance.now() - start) * 1e6
    const ns = device > 0 ? device : wall
    if (ns > 2e7 || wall > 3e8 || count >= 4096) return ns / count
    count *= 4
  }
}

const engineering = (x, unit) => { const i = Math.max(0, Math.min(4, Math.floor(Math.log10(x) / 3))); return `${(x / 1000 ** i).toPrecision(3)} ${['', 'k', 'M', 'G', 'T'][i]}${unit}` }
const duration = (ns) => (ns < 1e6 ? `${(ns / 1e3).toPrecision(3)} µs` : `${(ns / 1e6).toPrecision(3)} ms`)

/** Notes a point and draws the roofline anew: operations per second against operations per byte, both logarithmic. */
function note(name, flop, bytes, ns) {
  points.set(name, { intensity: flop / bytes, rate: (flop / ns) * 1e9 })
  roof = { ...roof, flop: Math.max(roof.flop, (flop / ns) * 1e9), bytes: Math.max(roof.bytes, (bytes / ns) * 1e9) }
  const [left, right, top, bottom] = [70, 620, 20, 260], [low, high] = [-2, 10]
  const peak = Math.log2(roof.flop), x = (i) => left + ((Math.log2(i) - low) / (high - low)) * (right - left), y = (r) => top + ((peak + 1 - Math.log2(r)) / 14) * (bottom - top)
  const knee = roof.flop / roof.bytes, first = 2 ** low
  const dots = [...points].map(([label, p]) => `<circle class="dot" cx="${x(p.intensity)}" cy="${y(p.rate)}" r="5"/><text x="${x(p.intensity) + 8}" y="${y(p.rate) + 14}">${label}</text>`)
  byId('roofline').innerHTML = `<path class="roof" d="M ${left} ${y(roof.bytes * first)} L ${x(knee)} ${y(roof.flop)} H ${right}"/>
    <text x="${right}" y="${y(roof.flop) - 6}" text-anchor="end">${engineering(roof.flop, 'FLOP/s')}</text>
    <text x="${left}" y="${y(roof.bytes * first) - 10}">${engineering(roof.bytes, 'B/s')}</text>
    <text x="${right}" y="${bottom + 30}" text-anchor="end">operations per byte →</text>${dots.join('')}`
}

async function multiply(gpu) {
  const n = Number(byId('size').value)
  const a = gpu.tensor(Float32Array.from({ length: n * n }, () => Math.random() - 0.5), [n, n])
  const ns = await nanoseconds(gpu, () => gpu.matmul(a, a))
  a.dispose()
  note(`${n} × ${n}`, 2 * n ** 3, 12 * n * n, ns)
  byId('product').textContent = `${duration(ns)}: ${engineering((2 * n ** 3 / ns) * 1e9, 'FLOP/s')}`
}

/** Discs on a slope, 256 × 256, from 0 to 1. */
const pattern = Float32Array.from({ length: 65536 }, (_, i) => { const x = i % 256, y = i >> 8; return ((x % 64) - 32) ** 2 + ((y % 64) - 32) ** 2 < 400 ? 0.95 : 0.15 + y / 900 })

function paint(canvas, values, width, height) {
  const pixels = new ImageData(width, height)
  values.forEach((v, i) => pixels.data.set([v, v, v, 1].map((c) => 255 * Math.min(1, Math.max(0, c))), 4 * i))
  canvas.getContext('2d').putImageData(pixels, 0, 0)
}

async function blur(gpu) {
  const taps = Number(byId('width').value), sigma = Math.max(0.3, taps / 5)
  const bell = Float32Array.from({ length: taps }, (_, i) => Math.exp(-((i - (taps - 1) / 2) ** 2) / (2 * sigma ** 2)))
  const whole = bell.reduce((s, v) => s + v)
  const image = gpu.tensor(pattern, [1, 1, 256, 256]), filter = gpu.tensor(bell.map((v) => v / whole))
  const result = gpu.separableConv2d(image, filter, filter)
  paint(byId('image'), await result.read(), 256, 256)
  const ns = await nanoseconds(gpu, () => gpu.separableConv2d(image, filter, filter))
  for (const t of [image, filter, result]) t.dispose()
  byId('taps').textContent = taps
  note('blur', 4 * taps * 65536, 16 * 65536, ns)
  byId('blurred').textContent = `256 × 256 with ${taps} × ${taps} taps: ${duration(ns)}`
}

/** 512 images of 16 × 16, each the sum of bars; columns of the matrix. */
function bars() {
  const [count, side] = [512, 16], data = new Float32Array(side * side * count)
  for (let j = 0; j < count; j++) for (let b = 0; b < 8; b++) if (Math.random() < 0.25) for (let k = 0; k < 2 * side; k++) {
    const across = (b % 4) * 4 + (k & 1), along = k >> 1
    data[(b < 4 ? across * side + along : along * side + across) * count + j] += 0.5
  }
  return data
}

/** Columns of a matrix [256, n] as tiles of 16 × 16, eight in a row. */
function tiles(canvas, values, n, scale) {
  const shown = new Float32Array(128 * 64)
  for (let t = 0; t < Math.min(n, 32); t++) for (let i = 0; i < 256; i++) shown[((t >> 3) * 16 + (i >> 4)) * 128 + (t % 8) * 16 + (i % 16)] = values[i * n + t] * scale(t)
  const small = new OffscreenCanvas(128, 64)
  paint(small, shown, 128, 64)
  const to = canvas.getContext('2d')
  to.imageSmoothingEnabled = false
  to.drawImage(small, 0, 0, canvas.width, canvas.height)
}

async function factorise(gpu) {
  const data = bars(), rank = 8, iterations = 150
  const v = gpu.tensor(data, [256, 512])
  const start = performance.now()
  const f = gpu.nmf(v, { rank, iterations, loss: 'kullback-leibler' })
  const product = gpu.matmul(f.w, f.h), difference = gpu.map('v - p', { v, p: product }), off = gpu.norm(difference), all = gpu.norm(v)
  const [w, [error], [size]] = [await f.w.read(), await off.read(), await all.read()]
  const seconds = (performance.now() - start) / 1000
  tiles(byId('images'), data, 512, () => 1)
  tiles(byId('parts'), w, rank, (t) => 1 / Math.max(1e-9, ...Array.from({ length: 256 }, (_, i) => w[i * rank + t])))
  for (const t of [v, f, product, difference, off, all]) t.dispose()
  byId('factors').textContent = `512 images into ${rank} parts, ${iterations} updates in ${seconds.toFixed(2)} s; ${(100 * error / size).toFixed(1)} % of the images is not explained`
}

async function main() {
  const gpu = await open()
  const info = gpu.core.device.adapterInfo
  byId('device').textContent = info?.description || [info?.vendor, info?.architecture].filter(Boolean).join(' ') || 'a GPU that does not say its name'
  if (gpu.core.tuning === 'software') byId('size').value = '128'
  const wide = gpu.fill([1 << 20], 1)
  note('x + y', 1 << 20, 12 << 20, await nanoseconds(gpu, () => gpu.map('x + y', { x: wide, y: wide })))
  const guarded = (f) => async () => {
    for (const c of controls) c.disabled = true
    try { await f(gpu) } catch (e) { byId('device').textContent = e.message } finally { for (const c of controls) c.disabled = false }
  }
  byId('multiply').onclick = guarded(multiply)
  byId('width').onchange = guarded(blur)
  byId('factorise').onclick = guarded(factorise)
  await guarded(multiply)()
  await guarded(blur)()
}

main().catch((e) => { byId('device').textContent = e.message })
