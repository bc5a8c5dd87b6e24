// Nests over the same blocks as one kernel: blocks meet between them, keep what they own, and what is not of that form
// is refused.
import { describe, expect, it } from 'vitest'
import {
  add,
  int,
  loop,
  loopVar,
  meetsGrid,
  mod,
  read,
  sizeOf,
  store,
  type ArrayDecl,
  type LoopStmt,
  type Program,
} from '../../../src/ir/index.ts'
import { lowerNest } from '../../../src/schedule/index.ts'
import { simulate } from '../../../src/simulate/index.ts'
import { profile } from '../support.ts'

const n = 5,
  threads = 4
const x: ArrayDecl = { name: 'x', type: 'i32', shape: [int(n)], role: 'inout', space: 'global' }
const y: ArrayDecl = { ...x, name: 'y' }
const sum: ArrayDecl = { name: 'sum', type: 'i32', shape: [int(n), int(threads)], role: 'temp', space: 'private' }
const last: ArrayDecl = { name: 'last', type: 'i32', shape: [int(n), int(1)], role: 'temp', space: 'shared' }
const b = loopVar('b'),
  t = loopVar('t')
const blocks = (body: readonly LoopStmt[], extent = n): LoopStmt =>
  loop('b', int(extent), body, { bind: { kind: 'block', axis: 'x' } })
const side = (body: readonly LoopStmt[]): LoopStmt =>
  loop('t', int(threads), body, { bind: { kind: 'thread', stride: 1 } })
const program = (body: readonly LoopStmt[]): Program => ({
  name: 'ring',
  sizes: [{ kind: 'given', name: 'steps', min: 0, planned: 4 }],
  hostVariables: [],
  scalars: [],
  arrays: [x, y],
  body,
})
const declared: readonly LoopStmt[] = [
  { kind: 'declare', array: sum },
  { kind: 'declare', array: last },
]
const own = read(last, [b, int(0)])

describe('nests over the same blocks', () => {
  const body = [
    ...declared,
    blocks([side([store(sum, [b, t], int(0))]), store(last, [b, int(0)], read(x, [b]))]),
    loop('s', sizeOf('steps'), [
      blocks([store(y, [b], own)]),
      blocks([
        side([store(sum, [b, t], add(read(sum, [b, t]), read(y, [mod(add(b, int(1)), n)])))]),
        store(last, [b, int(0)], add(own, read(y, [mod(add(b, int(1)), n)]))),
      ]),
    ]),
    blocks([store(x, [b], own)]),
  ]
  it('meet between them and keep what is theirs', () => {
    const { kernel, grid } = lowerNest(program(body), 'ring')
    expect(meetsGrid(kernel)).toBe(true)
    expect(grid[0]).toMatchObject({ kind: 'const', value: n })
    for (const steps of [0, 1, 4]) {
      const from = [3, 1, 4, 1, 5],
        buffers = { x: Int32Array.from(from).buffer, y: new ArrayBuffer(4 * n) }
      const { counters } = simulate(kernel, { grid: [n, 1, 1], params: { steps }, buffers }, profile, {
        exact: true,
        check: { races: true, uninitialized: true },
      })
      let want = from
      for (let s = 0; s < steps; s++) want = want.map((v, i) => v + want[(i + 1) % n]!) // of as many
      expect([...new Int32Array(buffers.x)]).toEqual(want)
      expect(counters.hazards).toEqual([])
    }
  })
  it('are a nest like any other when there is one', () => {
    expect(meetsGrid(lowerNest(program([blocks([side([store(x, [b], t)])])]), 'one').kernel)).toBe(false)
  })
})

describe('is refused', () => {
  it.each([
    [
      'other blocks',
      [blocks([store(x, [b], int(1))]), blocks([store(x, [b], int(2))], n - 1)],
      'not those of the nest before',
    ],
    [
      'what no block does',
      [blocks([store(x, [b], int(1))]), store(x, [int(0)], int(2))],
      'something that no block does',
    ],
    [
      'what another block owns',
      [...declared, blocks([store(last, [b, int(0)], int(1))]), blocks([store(x, [b], read(last, [int(0), int(0)]))])],
      'not taken by the block that has it',
    ],
  ])('%s', (_, body, why) => {
    expect(() => lowerNest(program(body), 'ring')).toThrow(why)
  })
})
