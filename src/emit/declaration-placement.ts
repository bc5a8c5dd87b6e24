// Placement of declarations. In: a kernel. Out: for each register, the statement before which it is declared. The one
// idea: the innermost statement list that contains all its uses; at its first definition if that comes first and
// unconditionally, otherwise before its first use; at the top of the kernel if a loop may carry its value around.
import { definesOf, listsOf, usesOf, type Kernel, type Reg, type Stmt } from '../ir/index.ts'
import type { LoadGroup, Holder } from './tree.ts'

/** A list of statements: the kernel's body, a branch, a loop's body or its continuing part. */
export interface StatementList {
  readonly parent: StatementList | null
  /** Position of the statement around this list, in the parent's order. */
  readonly owner: Stmt | null
  readonly depth: number
  readonly inLoop: boolean
}

export interface Mention {
  readonly block: StatementList
  readonly stmt: Stmt
  /** Order in the whole kernel; a statement's uses come before its definitions. */
  readonly order: number
  readonly defines: boolean
}

/**
 * Where a holder is declared: `at` its first definition as `let` or `var`, or as an empty `var` before `stmt` (null: at
 * the top).
 */
export type Home =
  | { readonly kind: 'let' | 'var'; readonly at: Stmt }
  | { readonly kind: 'before'; readonly stmt: Stmt | null }

export interface Scopes {
  readonly mentions: ReadonlyMap<number, readonly Mention[]>
  readonly groups: ReadonlyMap<number, LoadGroup>
  home(holder: Holder): Home
  /** Order numbers of the mentions inside or at `stmt`: from the first, to before the second. */
  orders(stmt: Stmt): readonly [number, number]
}

/** Registers assigned anywhere in a statement. */
export function assignedIn(s: Stmt, into = new Set<number>()): Set<number> {
  for (const r of definesOf(s)) into.add(r.id)
  for (const list of listsOf(s)) for (const inner of list) assignedIn(inner, into)
  return into
}

/** Walks the kernel once. `canGroup` says which vector loads the target keeps in one variable. */
export function findScopes(kernel: Kernel, canGroup: (load: Extract<Stmt, { kind: 'load' }>) => boolean): Scopes {
  const mentions = new Map<number, Mention[]>()
  const orders = new Map<Stmt, readonly [number, number]>()
  let order = 0
  const note = (id: number, block: StatementList, stmt: Stmt, defines: boolean): void => {
    const list = mentions.get(id) ?? []
    if (list.length === 0) mentions.set(id, list)
    list.push({ block, stmt, order: order++, defines })
  }
  const walk = (list: readonly Stmt[], block: StatementList): void => {
    for (const s of list) {
      const from = order
      for (const o of usesOf(s)) if (o.kind === 'reg') note(o.id, block, s, false)
      for (const r of definesOf(s)) note(r.id, block, s, true)
      const inLoop = block.inLoop || s.kind === 'loop'
      for (const inner of listsOf(s)) walk(inner, { parent: block, owner: s, depth: block.depth + 1, inLoop })
      orders.set(s, [from, order])
    }
  }
  walk(kernel.body, { parent: null, owner: null, depth: 0, inLoop: false })
  const groups = findGroups(mentions, canGroup)
  const ofHolder = (h: Holder): Mention[] =>
    'kind' in h
      ? (mentions.get(h.id) ?? [])
      : h.regs.flatMap((r) => mentions.get(r.id) ?? []).sort((a, b) => a.order - b.order)
  return { mentions, groups, home: (h) => homeOf(ofHolder(h)), orders: (s) => orders.get(s) ?? [0, 0] }
}

/** Registers that are only ever assigned together, by vector loads into the same tuple. */
function findGroups(
  mentions: ReadonlyMap<number, readonly Mention[]>,
  canGroup: (load: Extract<Stmt, { kind: 'load' }>) => boolean,
): Map<number, LoadGroup> {
  const groups = new Map<number, LoadGroup>()
  const key = (regs: readonly Reg[]): string => regs.map((r) => r.id).join()
  for (const [id, list] of mentions)
    for (const { stmt, defines } of list) {
      if (groups.has(id) || !defines || stmt.kind !== 'load' || stmt.dst.length === 1 || !canGroup(stmt)) continue
      const together = stmt.dst.every((r) =>
        mentions.get(r.id)!.every(
          (
            m, // r is mentioned: stmt defines it
          ) => !m.defines || (m.stmt.kind === 'load' && m.stmt.type === stmt.type && key(m.stmt.dst) === key(stmt.dst)),
        ),
      )
      if (!together) continue
      const group: LoadGroup = { regs: stmt.dst, type: stmt.type, name: commonName(stmt.dst) }
      for (const r of stmt.dst) groups.set(r.id, group)
    }
  return groups
}

/** What the names of `regs` begin with in common. */
export function commonName(regs: readonly Reg[]): string {
  const first = regs[0]!.name
  let n = first.length
  while (n > 0 && !regs.every((r) => r.name.startsWith(first.slice(0, n)))) n--
  return first.slice(0, n).replace(/_+$/, '') || 'v'
}

function homeOf(mentions: readonly Mention[]): Home {
  const common = mentions.map((m) => m.block).reduce(commonBlock)
  const first = mentions[0]!
  const statements = new Set(mentions.filter((m) => m.defines).map((m) => m.stmt))
  if (first.defines && first.block === common) return { kind: statements.size === 1 ? 'let' : 'var', at: first.stmt }
  const outermost = ownerIn(first, common)
  if (!common.inLoop || (outermost.kind === 'if' && assignsOnBoth(outermost, mentions)))
    return { kind: 'before', stmt: outermost }
  return { kind: 'before', stmt: null }
}

function commonBlock(a: StatementList, b: StatementList): StatementList {
  while (a !== b) {
    if (a.depth >= b.depth)
      a = a.parent! // both end at the kernel's body
    else b = b.parent!
  }
  return a
}

/** The statement of `block` in which the mention stands. */
function ownerIn(m: Mention, block: StatementList): Stmt {
  let stmt = m.stmt
  for (let b = m.block; b !== block; b = b.parent!) stmt = b.owner!
  return stmt
}

/** Whether both branches begin their mentions with an unconditional assignment. */
function assignsOnBoth(s: Extract<Stmt, { kind: 'if' }>, mentions: readonly Mention[]): boolean {
  return [s.then, s.else].every((branch) => {
    const own = mentions.find((m) => branch.includes(m.stmt))
    const any = mentions.find((m) => branch.some((t) => inside(t, m.stmt)))
    return own?.defines === true && own === any
  })
}

const inside = (outer: Stmt, s: Stmt): boolean =>
  outer === s || listsOf(outer).some((list) => list.some((t) => inside(t, s)))
