import { expect, test } from 'vitest'
import { doubleIn, interpret, toSingle, verifyProgram, printProgram } from '../../src/ir/index.ts'
import { readC } from '../c/read.ts'

const poly = `void f(int n, const double *x, const float *w, float *y, double s) {
  for (int i = 0; i < n; i++) { double t = x[i] * s + 0.1; y[i] = (float)(t * w[i]) + (float)(int)t; }
}`

test('a double program becomes a verified single one', async () => {
  const p = await readC(poly)
  expect(doubleIn(p)?.name).toBe('x')
  const q = toSingle(p)
  verifyProgram(q)
  expect(doubleIn(q)).toBeUndefined()
  expect(printProgram(q)).not.toContain('f64')
})

test('it computes what the source computes, rounded to single at every step', async () => {
  const q = toSingle(await readC(poly))
  const x = Float32Array.of(1.5, -2.25, 3),
    w = Float32Array.of(0.5, 4, 7),
    y = new Float32Array(3)
  interpret(q, { sizes: { n: 3 }, scalars: { s: 0.3 }, arrays: { x, w, y } })
  const f = Math.fround
  const expected = [...x].map((v, i) => {
    const t = f(f(v * f(0.3)) + f(0.1))
    return f(f(t * w[i]!) + Math.trunc(t))
  })
  expect([...y]).toEqual(expected)
})

test('a program without doubles stays the same object', async () => {
  const p = await readC('void f(int n, float *x) { for (int i = 0; i < n; i++) x[i] = 0.5f; }')
  expect(toSingle(p)).toBe(p)
})

test('a constant beyond single precision is refused, not made infinite', async () => {
  const p = await readC('void f(int n, double *x) { for (int i = 0; i < n; i++) x[i] = 1e300; }')
  expect(() => toSingle(p)).toThrow(/1e\+300 does not fit single precision/)
})
