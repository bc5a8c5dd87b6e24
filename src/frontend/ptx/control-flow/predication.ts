// In: an `if` made from a branch. Out: the same, perhaps as the assembler would write it: under a predicate. The one
// idea: a short arm without barriers or jumps is issued by all lanes that reach it, with some switched off, and there
// is no branch; so its instructions count where the `if` stands.
import { classOf, listsOf, type InstructionClass, type Stmt } from '../../../ir/index.ts'

type If = Extract<Stmt, { kind: 'if' }>
export type Counts = { [K in InstructionClass]?: number }

/** Instructions that an arm may have to be issued under a predicate: alone, or with another arm beside it. */
const most = { alone: 12, beside: 7 } as const

/** The class that a statement counts in. */
export function classOfMain(s: Stmt): InstructionClass {
  switch (s.kind) {
    case 'op': {
      const type = s.args[s.op === 'select' ? 1 : 0]!.type // every op has arguments
      const other =
        s.op === 'convert' && (s.dst.type === 'f64' || type === 'f64')
          ? 'f64'
          : s.op === 'convert' && s.dst.type.startsWith('f')
            ? s.dst.type
            : type
      return classOf(s.op, other)
    }
    case 'builtin':
      return 'move'
    case 'load':
    case 'store':
    case 'atomic':
    case 'subgroup':
    case 'barrier':
      return s.kind
    case 'matrix':
    case 'if':
    case 'loop':
    case 'break':
    case 'continue':
    case 'return':
      return 'control'
  }
}

/** What one execution of a statement counts, nested ones left out. */
function countsOf(s: Stmt): Counts {
  if (s.counts) return s.counts
  return s.free ? {} : { [classOfMain(s)]: 1 }
}

/** Counts of a list that can stand under a predicate; null when it cannot. */
function under(list: readonly Stmt[]): Counts | null {
  const sum: Counts = {}
  const add = (c: Counts): void => {
    for (const [k, n] of Object.entries(c)) sum[k as InstructionClass] = (sum[k as InstructionClass] ?? 0) + n
  } // keys are classes
  for (const s of list) {
    switch (s.kind) {
      case 'op':
      case 'builtin':
      case 'load':
      case 'store':
        add(countsOf(s))
        break
      case 'if': {
        // Branches that stayed branches do not go under a predicate.
        const inner = s.free ? under([...s.then, ...s.else]) : null
        if (!inner) return null
        add(countsOf(s))
        add(inner)
        break
      }
      case 'atomic':
      case 'subgroup':
      case 'barrier':
      case 'loop':
      case 'break':
      case 'continue':
      case 'return':
        return null
    }
  }
  return sum
}

const total = (c: Counts): number => Object.values(c).reduce((a, b) => a + b, 0)

/** What stays itself, and counts no instruction. */
const accesses: ReadonlySet<Stmt['kind']> = new Set(['load', 'store', 'atomic', 'subgroup', 'barrier'])

/** All statements of a list free; accesses stay requests, and count no instruction. */
export function withoutCost(list: readonly Stmt[]): Stmt[] {
  return list.map((s): Stmt => {
    if (!s.free && accesses.has(s.kind)) return { ...s, counts: {} }
    if (s.free && s.counts && accesses.has(s.kind)) return s
    const { counts: _, ...rest } = s
    const free = { ...rest, free: true as const }
    return free.kind === 'if' ? { ...free, then: withoutCost(free.then), else: withoutCost(free.else) } : free
  })
}

const leaves = (list: readonly Stmt[]): boolean => list.length === 1 && list[0]!.kind === 'return'

/** The branch as the assembler would write it. */
export function predicated(s: If): If {
  // An exit under a predicate is one instruction and no branch.
  const exits = (leaves(s.then) && s.else.length === 0) || (leaves(s.else) && s.then.length === 0)
  if (exits)
    return {
      ...s,
      free: true,
      counts: s.counts ?? { control: 1 },
      then: withoutCost(s.then),
      else: withoutCost(s.else),
    }
  if (listsOf(s).every((l) => l.length === 0)) return s
  const [a, b] = [under(s.then), under(s.else)]
  if (!a || !b) return s
  // An arm that only sets flags is nothing to the assembler.
  const limit = total(a) > 0 && total(b) > 0 ? most.beside : most.alone
  if (total(a) > limit || total(b) > limit) return s
  const counts: Counts = { ...a }
  // keys are classes
  for (const [k, n] of Object.entries(b)) counts[k as InstructionClass] = (counts[k as InstructionClass] ?? 0) + n
  return { ...s, free: true, counts, then: withoutCost(s.then), else: withoutCost(s.else) }
}
