// Pairs of launches, before and after one fix: what `explain` said that the fix would gain, what the model says of both
// kernels, and what was measured. The rule names the finding that the fix follows.
import type { Point } from './points.ts'

export interface Pair {
  readonly rule: string
  readonly fix: string
  readonly before: string
  readonly after: string
}

const M = 1024 * 1024
/** Names as `nameOf` gives them. */
export const pairs: readonly Pair[] = [
  ...[2048, 4096].map(
    (n): Pair => ({
      rule: 'SharedMemoryConflicts',
      fix: 'pad the tile',
      before: `transpose-tile n=${n} grid=${n / 32}×${n / 32}×1`,
      after: `transpose-padded n=${n} grid=${n / 32}×${n / 32}×1`,
    }),
  ),
  ...[2048, 4096].map(
    (n): Pair => ({
      rule: 'UncoalescedGlobalAccess',
      fix: 'store through a tile',
      before: `transpose-reads n=${n} grid=${n / 32}×${n / 8}×1`,
      after: `transpose-swizzled n=${n} grid=${n / 32}×${n / 32}×1`,
    }),
  ),
  ...[2048, 4096].map(
    (n): Pair => ({
      rule: 'UncoalescedGlobalAccess',
      fix: 'load through a tile',
      before: `transpose-writes n=${n} grid=${n / 32}×${n / 8}×1`,
      after: `transpose-padded n=${n} grid=${n / 32}×${n / 32}×1`,
    }),
  ),
  ...[1024, 2048].map(
    (n): Pair => ({
      rule: 'UncoalescedGlobalAccess',
      fix: 'swap the axes',
      before: `matmul-corner n=${n} grid=${n / 16}×${n / 16}×1`,
      after: `matmul-naive n=${n} grid=${n / 16}×${n / 16}×1`,
    }),
  ),
  ...[1024, 2048].map(
    (n): Pair => ({
      rule: 'MemoryCacheAccessPattern',
      fix: 'tiles of 16 × 16',
      before: `matmul-naive n=${n} grid=${n / 16}×${n / 16}×1`,
      after: `matmul-tile-16 n=${n} grid=${n / 16}×${n / 16}×1`,
    }),
  ),
  ...[4 * M, 12 * M].map(
    (n): Pair => ({
      rule: 'ThreadDivergence',
      fix: 'compact the invocations',
      before: `reduce-interleaved  grid=${n / 256}×1×1`,
      after: `reduce-compacted  grid=${n / 256}×1×1`,
    }),
  ),
  ...[4 * M, 12 * M].map(
    (n): Pair => ({
      rule: 'SharedMemoryConflicts',
      fix: 'add halves',
      before: `reduce-compacted  grid=${n / 256}×1×1`,
      after: `reduce-halving  grid=${n / 256}×1×1`,
    }),
  ),
  {
    rule: 'ThreadDivergence',
    fix: 'branch by groups of 32',
    before: 'branch-threads  grid=4096×1×1',
    after: 'branch-warps  grid=4096×1×1',
  },
  {
    rule: 'LaunchConfiguration',
    fix: 'eight times the workgroups',
    before: `triad-loop n=${16 * M} grid=132×1×1`,
    after: `triad-loop n=${16 * M} grid=1056×1×1`,
  },
  {
    rule: 'LaunchConfiguration',
    fix: 'eight times the workgroups',
    before: `reduce-many n=${12 * M} groups=132 grid=132×1×1`,
    after: `reduce-many n=${12 * M} groups=1056 grid=1056×1×1`,
  },
  {
    rule: 'AtomicContention',
    fix: 'a histogram a workgroup',
    before: `histogram-memory n=${M} groups=264 grid=264×1×1`,
    after: `histogram-tile n=${M} groups=264 grid=264×1×1`,
  },
  {
    rule: 'MemoryCacheAccessPattern',
    fix: 'one place for all lanes',
    before: 'uniform-distinct distinct=32 grid=4096×1×1',
    after: 'uniform-distinct distinct=1 grid=4096×1×1',
  },
  {
    rule: 'UncoalescedGlobalAccess',
    fix: 'a structure of arrays',
    before: `aos-whole n=${M} grid=${M / 256}×1×1`,
    after: `soa n=${M} grid=${M / 256}×1×1`,
  },
]

export const pointNamed = (points: readonly Point[], nameOf: (p: Point) => string, name: string): Point => {
  const found = points.find((p) => nameOf(p) === name)
  if (!found) throw new Error(`no point '${name}'`)
  return found
}
