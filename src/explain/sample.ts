// In: a grid and what one block of each class counted. Out: the blocks to run instead where that is too few. The one
// idea: rows of odd lengths begin at another place of a sector in each block, and the block in the middle of a grid of
// a power of two begins where none is split; so the classes of many blocks are several neighbours, where these count
// otherwise.
import type { Counters, Dim3, SiteCounters } from '../ir/index.ts'
import { sampleBlocks, type RunOptions } from '../simulate/index.ts'

/** Blocks to run, and how many of the grid each stands for. */
export interface Sample extends Required<Pick<RunOptions, 'blocks' | 'weights'>> {
  /** Neighbours of a class at most. */ readonly each: number
}

/** Neighbours that stand for a class: 4-byte elements begin at one of 8 places of a sector. */
const most = 8

/**
 * What to run instead of one block of each class; null when that is enough: neighbours of the class of most blocks
 * count the same, or all together would execute more than `budget` instructions of warps.
 */
export function sampleOf(
  first: Counters,
  budget: number,
  count: (blocks: readonly Dim3[]) => Counters | null,
): Sample | null {
  const {
    grid,
    coverage: { blocks },
  } = first
  const classes = sampleBlocks(grid)
  const same =
    first.work.blocks?.length === classes.length &&
    classes.every((c) => first.work.blocks?.some((b) => c.block.every((v, a) => v === b[a])))
  const each = Math.min(
    most,
    Math.floor((budget * blocks) / Math.max(1, first.instructions.warp) / classes.filter((c) => c.weight > 1).length),
  )
  if (first.coverage.exact || !same || !(each >= 2)) return null
  const heaviest = classes.reduce((a, b) => (b.weight > a.weight ? b : a))
  const seen = count(neighbours(grid, heaviest.block, each))
  return seen && differs(first.sites, seen.sites) ? taken(grid, each) : null
}

/** Each class of many blocks as `each` neighbours, or as many as there are. */
export function taken(grid: Dim3, each: number): Sample {
  const parts = sampleBlocks(grid).flatMap(({ block, weight }) => {
    const all = neighbours(grid, block, weight > 1 ? each : 1)
    return all.map((b) => ({ block: b, weight: weight / all.length }))
  })
  return { blocks: parts.map((p) => p.block), weights: parts.map((p) => p.weight), each }
}

/** A block and those behind it, one further along each axis on which it stands inside. */
function neighbours(grid: Dim3, block: Dim3, each: number): Dim3[] {
  const inside = [0, 1, 2].map((a) => (grid[a]! > 3 && block[a] === grid[a]! >> 1 ? grid[a]! - 2 : 1)) // three axes
  const at = (i: number): Dim3 =>
    block.map((v, a) => (inside[a] === 1 ? v : 1 + ((v - 1 + i) % inside[a]!))) as unknown as Dim3 // three of three
  return Array.from({ length: Math.min(each, Math.max(...inside)) }, (_, i) => at(i))
}

const least = { difference: 0.02, share: 0.01 } as const

/** Whether requests of a site that matters need other numbers of sectors or passes. */
function differs(a: readonly SiteCounters[], b: readonly SiteCounters[]): boolean {
  return (['sectors', 'wavefronts'] as const).some((key) => {
    const all = a.reduce((n, s) => n + s[key], 0)
    return a.some((s, i) => {
      const other = b[i]
      if (!other || s.requests === 0 || other.requests === 0 || s[key] < least.share * all) return false
      return Math.abs(other[key] / other.requests - s[key] / s.requests) > (least.difference * s[key]) / s.requests
    })
  })
}
