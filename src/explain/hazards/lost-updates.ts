// Updates that a kernel makes in two steps. In: a kernel. Out: which stores write back what a load read from the same
// place, changed. The one idea: the value that is stored follows from the load through registers, and both addresses
// are one expression; whether the steps of several threads mix is what a run shows.
import type { Span } from '../../base/index.ts'
import { allStatements, definesOf, usesOf, type Kernel, type Operand, type Stmt } from '../../ir/index.ts'

/** Whether a store at one place updates what a load at another has read. */
export type IsUpdate = (load: Span | undefined, store: Span | undefined) => boolean

type Load = Extract<Stmt, { kind: 'load' }>
type Store = Extract<Stmt, { kind: 'store' }>

const placeOf = (at: Span | undefined): string => `${at?.file}:${at?.line}:${at?.column}`

/** Expressions that are compared before they count as different. */
const mostDepth = 24

/** The updates of a kernel by their places. */
export function updatesIn({ body }: Pick<Kernel, 'body'>): IsUpdate {
  const statements = allStatements(body),
    definitions = definitionsIn(statements)
  let known: ReadonlySet<string> | undefined
  const found = (): ReadonlySet<string> => {
    const pairs = new Set<string>(),
      stores = statements.filter((s): s is Store => s.kind === 'store')
    for (const load of statements.filter((s): s is Load => s.kind === 'load')) {
      const back = stores.filter((store) => isSamePlace(load, store, definitions)),
        isFrom = back.length > 0 ? followersOf(load, statements) : null
      for (const store of back)
        if (isFrom && store.src.some(isFrom)) pairs.add(`${placeOf(load.at)} ${placeOf(store.at)}`)
    }
    return pairs
  }
  return (load, store) => (known ??= found()).has(`${placeOf(load)} ${placeOf(store)}`)
}

/** The one statement that gives a register its value; of those that have several, none. */
type Definitions = ReadonlyMap<number, Stmt | null>

function definitionsIn(statements: readonly Stmt[]): Definitions {
  const found = new Map<number, Stmt | null>()
  for (const s of statements) for (const { id } of definesOf(s)) found.set(id, found.has(id) ? null : s)
  return found
}

const isSamePlace = ({ address: a }: Load, { address: b }: Store, definitions: Definitions): boolean =>
  a.resource === b.resource &&
  a.stride === b.stride &&
  a.offset === b.offset &&
  isSame(a.index, b.index, definitions, mostDepth)

/** What a register is a copy of. */
function copied(o: Operand, definitions: Definitions): Operand {
  const by = o.kind === 'reg' ? definitions.get(o.id) : undefined,
    [from] = by?.kind === 'op' && (by.op === 'copy' || by.op === 'bitcast') ? by.args : []
  return from ? copied(from, definitions) : o
}

/** Whether two operands are the same expression of values that are set once. */
function isSame(first: Operand, second: Operand, definitions: Definitions, depth: number): boolean {
  const a = copied(first, definitions),
    b = copied(second, definitions)
  if (a.kind === 'const' && b.kind === 'const') return a.type === b.type && a.value === b.value
  if (a.kind === 'param' && b.kind === 'param') return a.name === b.name
  if (a.kind !== 'reg' || b.kind !== 'reg') return false
  if (a.id === b.id) return true
  const [x, y] = [definitions.get(a.id), definitions.get(b.id)]
  if (!x || !y || depth === 0 || x.kind !== y.kind) return false
  if (x.kind === 'builtin' && y.kind === 'builtin') return x.name === y.name
  if (x.kind !== 'op' || y.kind !== 'op' || x.op !== y.op || x.dst.type !== y.dst.type) return false
  // of one length
  return x.args.length === y.args.length && x.args.every((arg, i) => isSame(arg, y.args[i]!, definitions, depth - 1))
}

/** Which operands follow from what is loaded, through registers. */
function followersOf(load: Load, statements: readonly Stmt[]): (o: Operand) => boolean {
  const from = new Set(load.dst.map((r) => r.id)),
    isFrom = (o: Operand): boolean => o.kind === 'reg' && from.has(o.id)
  for (let before = -1; before !== from.size; ) {
    before = from.size
    for (const s of statements)
      if (s.kind === 'op' && usesOf(s).some(isFrom)) for (const { id } of definesOf(s)) from.add(id)
  }
  return isFrom
}
