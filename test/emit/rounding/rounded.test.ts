// Quotients and roots of WGSL rounded to nearest: the helpers' text, run in the simulator on a device whose own are off
// by some units, which is made by changing the line that asks it.
import { expect, test } from 'vitest'
import { random } from '../../../src/base/index.ts'
import { quotientText, rootText } from '../../../src/emit/wgsl/math-functions.ts'
import { primary } from '../../../src/emit/printer.ts'
import { parseWgsl } from '../../../src/frontend/wgsl/index.ts'
import { gpu } from '../../../src/gpus/index.ts'
import { compileKernel } from '../../../src/simulate/index.ts'

const count = 1 << 16

/** A kernel that applies the helper to all numbers; what the device says itself is off by so many units each time. */
function kernel(name: string, make: (add: (name: string, text: string) => string) => unknown, own: string): string {
  const texts = new Map<string, string>()
  make((n, text) => {
    texts.set(n, text)
    return n
  })
  const helpers = [...texts.values()].join('\n\n'),
    given = name === 'div_f32' ? 'a[i], b[i]' : 'a[i]'
  const line = `let near = ${own};`
  expect(helpers).toContain(line)
  return `@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read> off: array<i32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;
var<private> units: i32;
${helpers.replace(line, `let near = bitcast<f32>(bitcast<i32>(${own}) + units);`)}
@compute @workgroup_size(64)
fn all(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.x;
  units = off[i];
  out[i] = ${name}(${given});
}`
}

function run(text: string, a: Float32Array, b: Float32Array, off: Int32Array): Float32Array {
  const { kernel: k, bindings, sizes } = parseWgsl(text, 'rounded')
  const out = new Float32Array(count),
    given = [a, b, off, out]
  const buffers = Object.fromEntries(bindings.map((x) => [x.resource, given[x.binding]!.buffer as ArrayBuffer])) // four
  compileKernel(k, gpu('h200')).run({
    grid: [count / 64, 1, 1],
    params: Object.fromEntries(sizes.map((s) => [s.param, buffers[s.resource]!.byteLength])),
    buffers,
  })
  return out
}

const bits = new Uint32Array(1),
  number = new Float32Array(bits.buffer)
const ofBits = (x: number): number => {
  bits[0] = x
  return number[0]!
}
const exponent = (x: number): number => {
  number[0] = x
  return (bits[0]! >>> 23) & 255
}
const significand = (x: number): number => {
  number[0] = x
  return bits[0]! & 0x7fffff
}
const isNormal = (x: number, margin = 0): boolean => exponent(x) > margin && exponent(x) < 255 - margin

/** Units that a device may be off by, up to twice as many of those below a power of two. */
const offBy = (most: number, exact: number, r: { int: (a: number, b: number) => number }): number => {
  const by = r.int(-2 * most, most)
  return !isNormal(exact, 3) || (by < -most && significand(exact) >= -by - most) ? 0 : by
}

/** Numbers of all sizes, small integers, such whose quotients and roots lie beside powers of two, plain ones. */
function* pairs(): Generator<readonly [number, number]> {
  const r = random(7)
  for (let i = 0; ; i++) {
    const any = ofBits(r.bits()),
      near = Math.fround(1 + r.unit())
    if (i % 4 === 0) yield [any, ofBits(r.bits())]
    else if (i % 4 === 1) yield [r.int(0, 1000), r.int(1, 100)]
    else if (i % 4 === 2) yield [Math.fround(near * ofBits(0x3f800000 + r.int(-9, 9))), near]
    else yield [Math.fround(r.unit() * 100), near]
  }
}

test('quotients that are off by up to three units are rounded', () => {
  const a = new Float32Array(count),
    b = new Float32Array(count),
    off = new Int32Array(count),
    r = random(3)
  const some = pairs()
  for (let i = 0; i < count; i++) {
    ;[a[i], b[i]] = some.next().value as [number, number] // it never ends
    off[i] = isNormal(a[i]!) && isNormal(b[i]!) ? offBy(3, Math.fround(a[i]! / b[i]!), r) : 0
  }
  const out = run(
    kernel('div_f32', (add) => quotientText(add, [primary('a'), primary('b')]), 'a / b'),
    a,
    b,
    off,
  )
  for (let i = 0; i < count; i++)
    if (!Object.is(out[i], Math.fround(a[i]! / b[i]!)))
      expect.soft([a[i], b[i], off[i], out[i]]).toEqual([a[i], b[i], off[i], Math.fround(a[i]! / b[i]!)])
})

test('roots that are off by up to five units are rounded', () => {
  const a = new Float32Array(count),
    off = new Int32Array(count),
    r = random(5)
  const some = pairs()
  for (let i = 0; i < count; i++) {
    const [x, y] = some.next().value as [number, number] // it never ends
    a[i] = i % 2 === 0 ? Math.abs(x) : Math.fround(Math.fround(y) * y)
    off[i] = isNormal(a[i]!) ? offBy(5, Math.fround(Math.sqrt(a[i]!)), r) : 0
  }
  const out = run(
    kernel('sqrt_f32', (add) => rootText(add, [primary('a')]), 'sqrt(a)'),
    a,
    a,
    off,
  )
  for (let i = 0; i < count; i++)
    if (!Object.is(out[i], Math.fround(Math.sqrt(a[i]!))))
      expect.soft([a[i], off[i], out[i]]).toEqual([a[i], off[i], Math.fround(Math.sqrt(a[i]!))])
})
