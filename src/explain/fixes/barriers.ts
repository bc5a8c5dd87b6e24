// Barriers that are missing, or that stand where not all threads come. In: a race inside a block, or a barrier that
// some threads miss. Out: candidates, those with the fewest barriers first. The one idea: between two accesses a
// barrier can stand before the later one, and where a loop comes round, at its end; both in the
// innermost block that has both.
import { accessesAt, pathOf, type FixCandidate, type FixCase } from './candidate.ts'
import {
  after,
  atEnd,
  before,
  functionNamed,
  headOf,
  isBranch,
  isLoop,
  lineAt,
  without,
  type TextBlock,
  type SourceCode,
  type Edit,
  type Item,
  type BlockStep,
} from './source-text.ts'
import type { ExplainReport } from '../types.ts'

type HazardJson = ExplainReport['hazards'][number]

const barrierPattern = /\b(?:workgroupBarrier|storageBarrier|textureBarrier|__syncthreads)\s*\(\s*\)\s*;/

/** Barriers for a race of two threads of one block, or for reads of what nobody has written yet. */
export function missingBarriers(c: FixCase, h: HazardJson): readonly FixCandidate[] {
  const [a, b] = [pathOf(c, h.at), pathOf(c, h.other ?? h.at)]
  if (a.length < 2 || b.length < 2) return []
  const space = accessesAt(c, h.at)[0]?.space
  const barrier = nameOf(c, space)
  const points = distinct([
    ...between(c.code, a, b, barrier),
    ...around(c.code, a, barrier),
    ...around(c.code, b, barrier),
  ])
  const some = points.slice(0, mostPoints)
  const pairs = some.flatMap((p, i) => some.slice(i + 1).map((q) => [p, q]))
  return [...some.map((p) => [p]), ...pairs].map((edits) => ({
    does: `put ${barrier.slice(0, -1)} ${edits.map((e) => words(c.code, e)).join(' and ')}`,
    edits,
  }))
}

/** Places for a barrier that are tried; each is a run. */
const mostPoints = 5

function nameOf({ code }: FixCase, space: string | undefined): string {
  if (code.language === 'cuda') return '__syncthreads();'
  return space === 'global' ? 'storageBarrier();' : 'workgroupBarrier();'
}

const words = ({ text }: SourceCode, { from }: Edit): string =>
  `at line ${lineAt(text, from) + (text[from] === '\n' ? 1 : 0)}`

function distinct(edits: readonly Edit[]): readonly Edit[] {
  return edits.filter((e, i) => edits.findIndex((x) => x.from === e.from) === i)
}

/** Points in the blocks that both places share, from the inside out. */
function between(code: SourceCode, a: readonly BlockStep[], b: readonly BlockStep[], barrier: string): readonly Edit[] {
  let common = 0
  while (common < Math.min(a.length, b.length) && a[common]!.list === b[common]!.list) common++
  const edits: Edit[] = []
  for (let level = common - 1; level >= 1; level--) {
    const [one, other] = [a[level]!, b[level]!]
    const later = one.index > other.index ? one : other
    if (one.item !== other.item) edits.push(before(code, later.item, barrier))
    else if (level === common - 1) edits.push(before(code, one.item, barrier), after(code, one.item, barrier))
    const { owner, block } = one
    if (owner && block && isLoop(code, owner)) edits.push(atEnd(code, block, barrier))
  }
  return edits
}

/** Points at one place alone, for accesses in different functions. */
function around(code: SourceCode, path: readonly BlockStep[], barrier: string): readonly Edit[] {
  return [...path.slice(1)].reverse().flatMap(({ item }) => [before(code, item, barrier), after(code, item, barrier)])
}

/** A barrier in a branch, or behind a return, that not all threads reach. */
export function missedBarriers(c: FixCase, h: HazardJson): readonly FixCandidate[] {
  const path = pathOf(c, h.at)
  const own = path[path.length - 1]
  if (!own) return []
  const moved = [...path].reverse().flatMap(({ owner, block }) => {
    if (!owner || !block || !isBranch(c.code, owner)) return []
    return outOf(c.code, owner, block, own.item)
  })
  return [...moved, ...withoutReturns(c)]
}

/** The barrier moved out of an `if`, which is cut in two where it stood in the middle. */
function outOf(code: SourceCode, owner: Item, block: TextBlock, barrier: Item): readonly FixCandidate[] {
  const { text } = code
  const position = block.items.indexOf(barrier)
  if (position < 0 || owner.blocks.length !== 1) return []
  const statement = text.slice(barrier.from, barrier.to)
  const gone = without(code, barrier)
  const line = lineAt(text, barrier.from)
  const does = `let all threads reach the barrier of line ${line}: `
  if (position === block.items.length - 1)
    return [{ does: `${does}put it after the if`, edits: [gone, after(code, owner, statement)] }]
  if (position === 0) return [{ does: `${does}put it before the if`, edits: [gone, before(code, owner, statement)] }]
  const head = text.slice(owner.from, block.from)
  const cut: Edit = { from: barrier.from, to: barrier.to, text: `}\n${statement}\n${head}{` }
  return [{ does: `${does}cut the if in two around it`, edits: [cut] }]
}

/** Returns before a barrier become a condition of every statement behind them that is no barrier. */
function withoutReturns(c: FixCase): readonly FixCandidate[] {
  const { code } = c
  const main = functionNamed(code, c.report.kernel.name)
  const body = main?.blocks[main.blocks.length - 1]
  if (!body) return []
  const index = body.items.findIndex((i) => isBranch(code, i) && isReturn(code, i))
  const leaving = body.items[index]
  if (!leaving) return []
  const condition = code.text.slice(leaving.from, leaving.blocks[0]?.from ?? leaving.to).replace(/^if\s*/, '')
  const tested = leaving.blocks.length > 0 ? condition : condition.replace(/\breturn\s*;\s*$/, '')
  const takesPart = 'takes_part'
  const declared = code.language === 'wgsl' ? `let ${takesPart} = ` : `const bool ${takesPart} = `
  const rest = body.items.slice(index + 1)
  const line = lineAt(code.text, leaving.from)
  if (!rest.some((i) => barrierPattern.test(code.bare.slice(i.from, i.to)))) return []
  return [
    {
      does: `let all threads reach the barriers: make the return of line ${line} a condition`,
      edits: [
        { from: leaving.from, to: leaving.to, text: `${declared}!${tested.trim()};` },
        ...rest.flatMap((i) => guarded(code, i, takesPart)),
      ],
    },
  ]
}

const isReturn = (code: SourceCode, item: Item): boolean => {
  const inside = item.blocks[0]
    ? code.bare.slice(item.blocks[0].from + 1, item.blocks[0].to - 1)
    : code.bare.slice(item.from, item.to).replace(/^[\s\S]*\)/, '')
  return item.blocks.length <= 1 && /^\s*return\s*;\s*$/.test(inside)
}

const declaration: Readonly<Record<SourceCode['language'], RegExp>> = {
  wgsl: /^(?:let|var|const|const_assert)\b/,
  cuda: /^(?:(?:__shared__|extern|const|static|unsigned|signed)\s+)*[A-Za-z_]\w*\s*[*&]*\s+[*&]*\w+\s*(?:=|;|\[|,)/,
}

/** What decides how often a loop goes round, which all threads must agree on: leaving it, and scalars that change. */
const steers = (text: string): boolean =>
  /\b(?:break|continue)\b/.test(text) || /^\w+\s*(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)?=[^=()[\]]*);?\s*$/.test(text)

function guarded(code: SourceCode, item: Item, condition: string, isInLoop = false): readonly Edit[] {
  const whole = code.bare.slice(item.from, item.to)
  if (declaration[code.language].test(whole) || (isInLoop && steers(whole))) return []
  if (!barrierPattern.test(whole))
    return [
      { from: item.from, to: item.from, text: `if (${condition}) { ` },
      { from: item.to, to: item.to, text: ' }' },
    ]
  if (item.blocks.length === 0) return []
  return headOf(code, item).startsWith('if')
    ? []
    : item.blocks.flatMap((b) => b.items.flatMap((i) => guarded(code, i, condition, isInLoop || isLoop(code, item))))
}
