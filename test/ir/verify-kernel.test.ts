// What the verifier refuses, with the words it says.
import { describe, expect, test } from 'vitest'
import {
  constOf,
  KernelBuilder,
  verifyKernel,
  type Kernel,
  type Operand,
  type Reg,
  type Stmt,
} from '../../src/ir/index.ts'

const i = (value: number): Operand => constOf('i32', value)

/** The messages for a kernel made by `make`, without severity and the kernel's name. */
function complaints(make: (k: KernelBuilder) => void, change: (k: Kernel) => Kernel = (k) => k): string[] {
  const k = new KernelBuilder({ name: 'k', block: [32, 1, 1] })
  make(k)
  try {
    verifyKernel(change(k.raw()))
  } catch (e) {
    return String(e instanceof Error ? e.message : e)
      .split('\n')
      .map((line) => line.replace('error: kernel k', '').replace(/^[,:] /, ''))
  }
  return []
}

type Case = readonly [string, (k: KernelBuilder) => void, string]
const push = (k: KernelBuilder, s: Stmt): void => k.push(s)

const cases: readonly Case[] = [
  [
    'mixed types',
    (k) => push(k, { kind: 'op', op: 'add', dst: k.reg('i32'), args: [i(1), constOf('u32', 1)] }),
    'body[0]: add has arguments of types i32 and u32: they must be the same [kernel.type]',
  ],
  [
    'wrong group',
    (k) => push(k, { kind: 'op', op: 'sqrt', dst: k.reg('i32'), args: [i(1)] }),
    'body[0]: sqrt takes floats, got i32 [kernel.type]',
  ],
  [
    'wrong result',
    (k) => push(k, { kind: 'op', op: 'lt', dst: k.reg('i32', 'x'), args: [i(1), i(2)] }),
    "body[0]: lt gives bool, but 'x' is i32 [kernel.type]",
  ],
  [
    'arity',
    (k) => push(k, { kind: 'op', op: 'add', dst: k.reg('i32'), args: [i(1)] }),
    'body[0]: add takes 2 arguments, got 1 [kernel.arity]',
  ],
  [
    'select by a number',
    (k) => push(k, { kind: 'op', op: 'select', dst: k.reg('i32'), args: [i(1), i(1), i(2)] }),
    'body[0]: select chooses by i32, not bool [kernel.type]',
  ],
  [
    'bitcast widths',
    (k) => push(k, { kind: 'op', op: 'bitcast', dst: k.reg('i64'), args: [i(1)] }),
    'body[0]: bitcast from i32 to i64: the widths differ [kernel.type]',
  ],
  [
    'literal range',
    (k) => k.set(k.reg('i32'), { kind: 'const', type: 'i32', value: 2 ** 31 }),
    'body[0]: the literal 2147483648 is no i32 [kernel.literal]',
  ],
  [
    'literal rounding',
    (k) => k.set(k.reg('f32'), { kind: 'const', type: 'f32', value: 0.1 }),
    'body[0]: the literal 0.1 is no f32 [kernel.literal]',
  ],
  [
    'literal kind',
    (k) => k.set(k.reg('i64'), { kind: 'const', type: 'i64', value: 1 }),
    'body[0]: the literal 1 is no i64 [kernel.literal]',
  ],
  [
    'unknown param',
    (k) => k.set(k.reg('i32'), { kind: 'param', name: 'n', type: 'i32' }),
    "body[0]: unknown param 'n' [kernel.param]",
  ],
  [
    'param type',
    (k) => {
      k.param('n', 'u32')
      k.set(k.reg('i32'), { kind: 'param', name: 'n', type: 'i32' })
    },
    "body[0]: param 'n' is u32, used as i32 [kernel.param]",
  ],
  [
    'unknown resource',
    (k) => k.load({ name: 'A', space: 'global', type: 'f32', count: null, access: 'read' }, 0),
    "body[0]: unknown resource 'A' [kernel.resource]",
  ],
  [
    'write to read',
    (k) => k.store(k.global('A', 'f32', 'read'), 0, 1),
    "body[0]: 'A' has access read, but the statement needs write [kernel.access]",
  ],
  [
    'read of write',
    (k) => k.load(k.global('A', 'f32', 'write'), 0),
    "body[0]: 'A' has access write, but the statement needs read [kernel.access]",
  ],
  [
    'float index',
    (k) => k.load(k.global('A', 'f32'), constOf('f32', 1)),
    'body[0]: an index has type f32, not an integer [kernel.type]',
  ],
  [
    'width',
    (k) => k.loadVector(5, k.global('A', 'f32'), 0),
    'body[0]: a load of 5 elements: 1 to 4 are possible [kernel.width]',
  ],
  [
    'same register twice',
    (k) => {
      const r = k.reg('f32')
      k.loadTo([r, r], k.global('A', 'f32'), 0)
    },
    'body[0]: a load names the same register twice [kernel.width]',
  ],
  ['store type', (k) => k.store(k.global('A', 'f32'), 0, i(1)), 'body[0]: store f32 takes f32, got i32 [kernel.type]'],
  [
    'narrow loads widen',
    (k) =>
      push(k, {
        kind: 'load',
        dst: [k.reg('u32', 'x')],
        type: 'i8',
        address: { resource: k.global('A', 'i8').name, index: i(0), stride: 1, offset: 0 },
      }),
    "body[0]: load i8 gives i32, but 'x' is u32 [kernel.type]",
  ],
  [
    'atomic on local',
    (k) => k.atomic('add', k.local('L', 'i32', 4), 0, [1]),
    "body[0]: an atomic on local 'L': only global and shared memory and surfaces have atomics [kernel.access]",
  ],
  [
    'atomic on bytes',
    (k) => k.atomic('add', k.global('A', 'u8'), 0, [1]),
    'body[0]: an atomic on u8: 4 or 8 bytes are possible [kernel.type]',
  ],
  [
    'float and',
    (k) => k.atomic('and', k.global('A', 'f32'), 0, [1]),
    'body[0]: atomic and takes integers, got f32 [kernel.type]',
  ],
  [
    'compare-exchange',
    (k) => k.atomic('compareExchange', k.global('A', 'i32'), 0, [1]),
    'body[0]: atomic compareExchange takes 2 arguments, got 1 [kernel.arity]',
  ],
  [
    'shuffle lane',
    (k) => push(k, { kind: 'subgroup', op: 'shuffle', dst: k.reg('i32'), args: [i(1), i(2)] }),
    'body[0]: subgroup shuffle takes a u32 second, got i32 [kernel.type]',
  ],
  [
    'ballot of a number',
    (k) => push(k, { kind: 'subgroup', op: 'ballot', dst: k.reg('u32'), args: [i(1)] }),
    'body[0]: subgroup ballot takes a bool, got i32 [kernel.type]',
  ],
  ['condition', (k) => k.ifThen(i(1), () => {}), 'body[0]: the condition has type i32, not bool [kernel.type]'],
  ['break outside', (k) => k.break(), 'body[0]: break stands outside a loop [kernel.jump]'],
  [
    'continue in continuing',
    (k) =>
      k.loop(
        () => {},
        () => k.continue(),
      ),
    'body[0].continuing[0]: continue stands in a continuing block [kernel.jump]',
  ],
  [
    'return in continuing',
    (k) =>
      k.loop(
        () => {},
        () => k.return(),
      ),
    'body[0].continuing[0]: return stands in a continuing block [kernel.jump]',
  ],
  [
    'a barrier of the grid in a branch',
    (k) =>
      k.ifThen(k.op('eq', [k.builtin('blockIdx.x'), 0]), () =>
        k.loop(() => {
          k.barrier('grid')
          k.break()
        }),
      ),
    'body[2].then[0].body[0]: a barrier of the grid stands in an if: all blocks must come to it [kernel.barrier]',
  ],
  [
    'dead code',
    (k) => {
      k.return()
      k.barrier()
    },
    'body[0]: statements after return are never reached [kernel.unreachable]',
  ],
  [
    'nested path',
    (k) =>
      k.loop(() =>
        k.ifThen(
          constOf('bool', 1),
          () => {},
          () => k.set(k.reg('i32'), constOf('u32', 1)),
        ),
      ),
    "body[0].body[0].else[0]: copy gives u32, but 'v' is i32 [kernel.type]",
  ],
  [
    'local without count',
    (k) => k.resource({ name: 'L', space: 'local', type: 'i32', count: null, access: 'read-write' }),
    "local 'L' needs a count of elements [kernel.resource]",
  ],
  [
    'writable constant',
    (k) => k.resource({ name: 'C', space: 'constant', type: 'i32', count: 4, access: 'read-write' }),
    "constant 'C' must have access read [kernel.resource]",
  ],
  [
    'two of a name',
    (k) => {
      k.param('A', 'i32')
      k.global('A', 'i32')
    },
    "'A' is declared twice [kernel.name]",
  ],
  ['bad name', (k) => k.param('a b', 'i32'), "'a b' is no identifier [kernel.name]"],
]

describe('verifyKernel refuses', () => {
  for (const [what, make, message] of cases) test(what, () => expect(complaints(make)).toContain(message))
  test('a block that is too large', () =>
    expect(
      complaints(
        () => {},
        (k) => ({ ...k, block: [1025, 1, 1] }),
      ),
    ).toEqual(['a block of 1025×1×1 threads is not between 1 and 1024 [kernel.block]']))
  test('gaps in register ids', () =>
    expect(
      complaints(
        (k) => k.reg('i32'),
        (k) => ({ ...k, registers: [{ ...(k.registers[0] as Reg), id: 1 }] }),
      ),
    ).toContain("register 'v' has id 1 at position 0: ids must be dense from 0 [kernel.register]"))
  test('a register of another kernel', () =>
    expect(complaints((k) => k.set({ kind: 'reg', id: 7, type: 'i32', name: 'x' }, 1))).toEqual([
      "body[0]: register 'x' (7) is not declared [kernel.register]",
    ]))
  test('nothing in a good kernel', () =>
    expect(complaints((k) => k.forRange({ to: 4 }, (x) => k.store(k.global('A', 'i32'), x, x)))).toEqual([]))
})
