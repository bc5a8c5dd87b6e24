// Which blocks count as one that ran: told by their numbers or by three indices, whatever is made of these, they are
// those that the conditions say.
import { expect, test } from 'vitest'
import { random } from '../../src/base/index.ts'
import type { Dim3 } from '../../src/ir/index.ts'
import type { Decision } from '../../src/simulate/classes/decisions.ts'
import type { Condition } from '../../src/simulate/classes/differences.ts'
import { counted, testOf, type Ran } from '../../src/simulate/classes/partition.ts'
import { Terms, type BlockTerm } from '../../src/simulate/classes/term.ts'

type Recipe = (terms: Terms) => BlockTerm

const decision: Decision = { index: 0, kind: 'less', type: 'i32', sides: [0, 1] }
const lanes = [0, 3, 5]

/** The numbers of blocks that are alike, as the partition finds them. */
function alike(grid: Dim3, block: Dim3, ran: Ran): readonly number[] {
  const test = testOf(block, grid, ran)
  const found: number[] = []
  for (let z = 0; z < grid[2]; z++)
    for (let y = 0; y < grid[1]; y++) {
      const begin = grid[0] * (y + grid[1] * z)
      const filters = test(y, z)
      if (filters === null) continue
      const row = counted(grid[0]).map((x) => x + begin)
      found.push(
        ...row.subarray(
          0,
          filters.reduce((left, filter) => filter(row, left, begin), row.length),
        ),
      )
    }
  return found
}

test.each(Array.from({ length: 60 }, (_, seed) => seed))('conditions on random terms, seed %i', (seed) => {
  const { int } = random(seed + 900)
  const grid: Dim3 = [[7, 2 + int(0, 3), 1 + int(0, 3)] as const, [20, 1, 1] as const, [3, 9, 2] as const][seed % 3]!
  const grow = (depth: number): Recipe => {
    const axis = int(0, 2) as 0 | 1 | 2 // one of three
    if (depth === 0) return (t) => t.block(axis)
    const [a, b, factor, kind] = [grow(depth - 1), grow(depth - 1), int(-5, 9), int(0, 5)]
    if (kind === 0) return (t) => t.scale(a(t), factor, false)
    if (kind === 1) return (t) => t.quotient(a(t), 1 + Math.abs(factor))
    if (kind === 2) return (t) => t.op('rem', 'i32', 'i32', [a(t), t.constant(3)])
    if (kind === 3) return (t) => t.add(t.block(0), t.scale(t.block(1), grid[0], false), false) // numbers of blocks
    if (kind === 4) return (t) => t.op('convert', 'i32', 'i64', [a(t)])
    return (t) => t.add(a(t), b(t), false)
  }
  const recipes = Array.from({ length: 3 }, () => [grow(3), int(0, 4) === 0 ? grow(2) : null] as const)
  const modulo = [null, 4, 6][int(0, 2)]!
  const ranAt: Dim3 = [int(0, grid[0] - 1), int(0, grid[1] - 1), int(0, grid[2] - 1)]
  const [low, high] = [5, 9]

  /** What there is to know where terms are made by `terms`, which sees the block that ran at `at`. */
  const known = (terms: Terms, at: Dim3): { readonly ran: Ran; readonly conditions: readonly Condition[] } => {
    const [first, second, third] = recipes.map(([a, b]) => [a(terms), b ? b(terms) : terms.constant(4)] as const)
    const site = { index: 0 } as Extract<Condition, { kind: 'inside' }>['site']
    const conditions: readonly Condition[] = [
      { kind: 'same', term: first![0], modulo },
      { kind: 'inside', site, term: second![0] },
      { kind: 'alike', decision, a: third![0], b: third![1] },
    ]
    const [a, b] = [third![0].at(...at), third![1].at(...at)]
    const differences = lanes.map((l) => a + l - b)
    const ran: Ran = {
      conditions,
      seen: () => ({ low, high }),
      bounds: () => ({ low: 0, high: 17 }),
      margins: () => ({
        a: { most: Math.max(...lanes.map((l) => a + l)), least: Math.min(...lanes.map((l) => a + l)) },
        b: { most: b, least: b },
        below: Math.max(-Infinity, ...differences.filter((d) => d < 0)),
        above: Math.min(Infinity, ...differences.filter((d) => d >= 0)),
        belowToo: -Infinity,
        aboveToo: Infinity,
      }),
    }
    return { ran, conditions }
  }

  const byIndex = new Terms()
  const { ran, conditions } = known(byIndex, ranAt)
  const blocks = Array.from(
    { length: grid[0] * grid[1] * grid[2] },
    (_, n): Dim3 => [n % grid[0], Math.floor(n / grid[0]) % grid[1], Math.floor(n / (grid[0] * grid[1]))],
  )
  const expected = blocks.flatMap((block, n) => {
    const moved = (t: BlockTerm): number => t.at(...block) - t.at(...ranAt)
    const holds = conditions.every((c) => {
      if (c.kind === 'same') return c.modulo === null ? moved(c.term) === 0 : moved(c.term) % c.modulo === 0
      if (c.kind === 'inside') return low + moved(c.term) >= 0 && high + moved(c.term) <= 17
      const less = (at: Dim3): readonly boolean[] => lanes.map((l) => c.a.at(...at) + l < c.b.at(...at))
      return String(less(block)) === String(less(ranAt))
    })
    return holds ? [n] : []
  })
  expect(alike(grid, ranAt, ran)).toEqual(expected)
  const number = ranAt[0] + grid[0] * (ranAt[1] + grid[1] * ranAt[2])
  const numbered = known(new Terms(grid), [number, 0, 0])
  expect(alike([blocks.length, 1, 1], [number, 0, 0], numbered.ran)).toEqual(expected)
})

test('a million numbers of lines, and none of them wraps', () => {
  const terms = new Terms([32768, 64, 1])
  const number = terms.add(terms.block(0), terms.scale(terms.block(1), 32768, false), false)
  const [near, far] = [terms.scale(number, 4, false), terms.scale(number, 4096, false)]
  expect(near.line).toEqual({ slope: 4, offset: 0 })
  for (const t of [near, far])
    expect(Array.from(t.values(2 ** 21)!.slice(-2))).toEqual([2 ** 21 - 2, 2 ** 21 - 1].map((n) => t.at(n, 0, 0)))
  expect(far.at(2 ** 20, 0, 0)).toBe(0) // 2³² wraps
  // a word without a sign may be more than a list of words holds
  const low = terms.op('convert', 'u32', 'u64', [terms.scale(number, 2 ** 11, false)])
  expect(low.values(2 ** 21)).toBeNull()
  // what has wrapped is no line any more where 64 bits hold it
  expect(terms.op('convert', 'i32', 'i64', [far]).line).toBeNull()
})
