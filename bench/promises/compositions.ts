// Integer operations put together, asked of a device: plans whose kernels compute every composition of two or three
// operations on narrow and wide integers, and what each should have been. The one idea: a device's compiler is right
// about single operations (`operations.ts`) and wrong about pairs that it fuses: a minimum of an absolute value, a
// product of a sum. What one of them gets wrong here is spelled another way by the emitters.
import { random } from '../../src/base/index.ts'
import { globalIndex } from './operations.ts'
import {
  ceilDiv,
  constOf,
  evaluate,
  int,
  KernelBuilder,
  mul,
  add,
  sizeOf,
  type Kernel,
  type OpName,
  type Operand,
  type Plan,
  type PlanLaunch,
  type Verified,
} from '../../src/ir/index.ts'

/** An expression over the leaves x[i], x[i + 1], y[i] and z[i], and constants. */
export type Composition =
  | { readonly leaf: 'x' | 'next' | 'y' | 'z' }
  | { readonly constant: number }
  | { readonly op: OpName; readonly args: readonly Composition[] }

export const stored = ['i32', 'i16', 'u16', 'i8', 'u8', 'u32'] as const
export type Stored = (typeof stored)[number]
/** What the operations are done in: u32 where x is, else i32. */
const arithmeticOf = (type: Stored): 'i32' | 'u32' => (type === 'u32' ? 'u32' : 'i32')

const leaf = (name: 'x' | 'next' | 'y' | 'z'): Composition => ({ leaf: name }),
  constant = (value: number): Composition => ({ constant: value }),
  node = (op: OpName, ...args: Composition[]): Composition => ({ op, args })

type Unary = (a: Composition) => Composition
type Binary = (a: Composition, b: Composition) => Composition

const unaries: readonly Unary[] = [
  (a) => a,
  (a) => node('sub', constant(0), a),
  (a) => node('abs', a),
  (a) => node('not', a),
]
/** The unary operations that compilers fold into others' operands. */
const modifiers = unaries.slice(0, 3)
const binaries: readonly Binary[] = [
  ...(['add', 'sub', 'mul', 'div', 'rem', 'min', 'max', 'and', 'or', 'xor', 'shl', 'shr', 'mulhi'] as const).map(
    (op): Binary =>
      (a, b) =>
        node(op, a, b),
  ),
  (a, b) => node('select', node('gt', a, b), a, b),
  (a, b) => node('select', node('le', a, b), a, b),
]
const finals: readonly Binary[] = [
  (a, b) => node('min', a, b),
  (a, b) => node('max', a, b),
  (a, b) => node('select', node('gt', a, b), a, b),
  (a) => node('rem', a, constant(100)),
  (a) => node('div', a, constant(7)),
  (a) => node('rem', a, constant(8)),
  (a) => node('shr', a, constant(1)),
]

const x = leaf('x'),
  next = leaf('next'),
  y = leaf('y'),
  z = leaf('z')
/** What is divided: sums, products and both, of which a compiler could keep the carry or the upper half. */
const dividends: readonly Composition[] = [
  node('add', x, y),
  node('sub', x, y),
  node('mul', x, y),
  node('shl', x, constant(3)),
  node('mul', x, constant(10)),
  ...(['or', 'and', 'xor', 'add', 'min', 'shr'] as const).flatMap((op) => [
    node('add', node('mul', x, y), node(op, y, x)),
    node('sub', node('mul', x, y), node(op, y, x)),
    node('add', node(op, x, y), z),
    node('add', node('mul', y, x), node(op, y, next)),
  ]),
  node('add', node('mul', x, y), z),
  node('sub', z, node('mul', x, y)),
  node('add', node('mul', x, constant(7)), z),
  node('add', node('shl', x, constant(2)), y),
  node('mul', node('add', x, y), z),
  node('add', node('add', x, y), node('mul', x, y)),
  node('add', node('mul', x, y), node('mul', y, z)),
  node('add', node('mulhi', x, y), node('mul', x, y)),
]
/** Even ones, powers of two, and odd ones with a magic number of 32 and of 33 bits. */
const divisors = [2, 3, 5, 6, 7, 8, 10, 12, 14, 24, 36, 100, 255, 641, 1000, 65535, 2 ** 31 - 1]
const divisions: readonly Composition[] = dividends.flatMap((d) =>
  divisors.flatMap((c) => [
    node('rem', d, constant(c)),
    node('div', d, constant(c)),
    node('sub', z, node('rem', d, constant(c))),
    node('sub', y, node('rem', d, constant(c))),
  ]),
)

/** All compositions that are asked of i32; of u32 the divisions alone and those that have no sign. */
export const compositions: readonly Composition[] = [
  ...divisions,
  ...binaries.flatMap((f) => unaries.flatMap((u) => unaries.map((v) => f(u(leaf('x')), v(leaf('y')))))),
  ...binaries.flatMap((f) => unaries.map((u) => f(f(leaf('y'), u(leaf('x'))), u(leaf('next'))))),
  ...finals.flatMap((g) =>
    binaries.flatMap((f) =>
      modifiers.flatMap((u) => modifiers.map((v) => g(f(u(leaf('x')), v(leaf('y'))), leaf('z')))),
    ),
  ),
  ...binaries.flatMap((f) => modifiers.map((u) => f(u(f(leaf('x'), leaf('y'))), leaf('z')))),
]

/** A composition as one writes it. */
export function spelled(c: Composition): string {
  if ('leaf' in c) return c.leaf
  if ('constant' in c) return String(c.constant)
  return `${c.op}(${c.args.map(spelled).join(', ')})`
}

const hasOp = (c: Composition, ops: readonly OpName[]): boolean =>
  'op' in c && (ops.includes(c.op) || c.args.some((a) => hasOp(a, ops)))
const unsignedOnes = compositions.filter((c) => !hasOp(c, ['abs', 'neg']))
/** The compositions that are asked where x is of `type`. */
export const compositionsOf = (type: Stored): readonly Composition[] =>
  arithmeticOf(type) === 'u32' ? unsignedOnes : compositions

/** What it is, by the table of operations. */
export function valueOf(
  c: Composition,
  type: Stored,
  leaves: Readonly<Record<'x' | 'next' | 'y' | 'z', number>>,
): number {
  if ('leaf' in c) return leaves[c.leaf]
  if ('constant' in c) return c.constant
  const args = c.args.map((a) => valueOf(a, type, leaves))
  return Number(evaluate(c.op, arithmeticOf(type), args))
}

/** Compositions of one kernel: few enough that its compiler sees each by itself. */
export const perKernel = 32
/** Elements of each array. */
export const elements = 4096

function kernelOf(type: Stored, part: readonly Composition[]): Verified<Kernel> {
  const k = new KernelBuilder({ name: 'compositions', block: [64, 1, 1] })
  const x = k.global('x', type, 'read'),
    arithmetic = arithmeticOf(type),
    y = k.global('y', arithmetic, 'read'),
    z = k.global('z', arithmetic, 'read'),
    o = k.global('o', arithmetic, 'write'),
    first = k.param('first', 'i32')
  const i = globalIndex(k)
  const widened = (at: Operand): Operand => {
    const value = k.load(x, at)
    return value.type === arithmetic ? value : k.op('convert', [value], { type: arithmetic })
  }
  const leaves: Readonly<Record<'x' | 'next' | 'y' | 'z', Operand>> = {
    x: widened(i),
    next: widened(k.op('add', [i, constOf('i32', 1)])),
    y: k.load(y, i),
    z: k.load(z, i),
  }
  const made = (c: Composition): Operand => {
    if ('leaf' in c) return leaves[c.leaf]
    if ('constant' in c) return constOf(arithmetic, c.constant)
    return k.op(c.op, c.args.map(made))
  }
  const base = k.op('add', [first, i])
  part.forEach((c, at) => k.store(o, k.op('add', [base, constOf('i32', at * elements)]), made(c)))
  return k.finish()
}

/** One plan per type of x: o[k][i] = composition k of x[i], x[i + 1], y[i], z[i]. */
export function compositionsPlan(type: Stored): Plan {
  const n = sizeOf('n'),
    asked = compositionsOf(type),
    arithmetic = arithmeticOf(type)
  const launches: PlanLaunch[] = []
  for (let first = 0; first < asked.length; first += perKernel)
    launches.push({
      kernel: kernelOf(type, asked.slice(first, first + perKernel)),
      grid: [ceilDiv(n, 64), int(1), int(1)],
      arguments: { x: 'x', y: 'y', z: 'z', o: 'o' },
      params: { first: int(first * elements) },
    } as PlanLaunch)
  return {
    name: 'compositions',
    sizes: [{ kind: 'given', name: 'n', min: 1, planned: elements }],
    scalars: [],
    arrays: [
      { name: 'x', role: 'in', type, shape: [add(n, int(1))] },
      { name: 'y', role: 'in', type: arithmetic, shape: [n] },
      { name: 'z', role: 'in', type: arithmetic, shape: [n] },
      { name: 'o', role: 'out', type: arithmetic, shape: [mul(n, int(asked.length))] },
    ],
    variants: [{ when: null, launches }],
  } as Plan
}

const ranges: Readonly<Record<Stored, readonly [number, number]>> = {
  i32: [-(2 ** 31), 2 ** 31 - 1],
  i16: [-(2 ** 15), 2 ** 15 - 1],
  u16: [0, 2 ** 16 - 1],
  i8: [-128, 127],
  u8: [0, 255],
  u32: [0, 2 ** 32 - 1],
}

/** Random integers of all magnitudes of `type`, its ends among them. */
export function numbersOf(type: Stored, count: number, seed: number): number[] {
  const r = random(seed),
    [low, high] = ranges[type]
  return Array.from({ length: count }, () => {
    if (r.unit() < 0.1) return [low, high, 0, 1, low < 0 ? -1 : 2, low + 1][r.int(0, 5)]!
    const size = Math.floor(2 ** (r.unit() * Math.log2(high)))
    return low < 0 && r.unit() < 0.5 ? -size : size
  })
}
