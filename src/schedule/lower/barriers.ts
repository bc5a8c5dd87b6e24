// In: the statements of a block. Out: before which of them a barrier must stand. The one idea: statements are phases
// that all threads of the block run side by side; a phase that touches shared memory which another phase wrote (or
// writes what another read) since the last barrier needs one in front. Loops are walked twice, so that the end of an
// iteration meets the start of the next. A buffer indexed by `loop % 2` is another buffer in the next iteration.
import {
  literal,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  eachExpr,
  eachStmt,
  someStmt,
  ownExprs,
} from '../../ir/index.ts'

/** Accesses to shared arrays since the last barrier: keys are `array` or `array@loop` for a rotating buffer. */
interface State {
  readonly reads: Set<string>
  readonly writes: Set<string>
  readonly atomics: Set<string>
}

const empty = (): State => ({ reads: new Set(), writes: new Set(), atomics: new Set() })
const copyOf = (s: State): State => ({
  reads: new Set(s.reads),
  writes: new Set(s.writes),
  atomics: new Set(s.atomics),
})

/**
 * Statements of `body` (by identity, at any depth above the phases) that a block-wide barrier must precede. `met`:
 * those that all blocks meet before.
 */
export function barriersBefore(
  body: readonly LoopStmt[],
  shared: ReadonlySet<string>,
  met: ReadonlySet<LoopStmt> = new Set(),
): ReadonlySet<LoopStmt> {
  const before = new Set<LoopStmt>()
  walk(body, empty(), { shared, met }, before)
  return before
}

/** Arrays that threads share, and statements before which everything is done anyway. */
interface Known {
  readonly shared: ReadonlySet<string>
  readonly met: ReadonlySet<LoopStmt>
}

/**
 * Global arrays that threads pass on to each other: what one thread loop stores another one reads or stores again,
 * which deals its elements out in another way.
 */
export function passedOn(program: Program): ReadonlySet<string> {
  const stored = new Map<string, Set<string>>(),
    read = new Map<string, Set<string>>()
  const note = (to: Map<string, Set<string>>, array: string, around: readonly Loop[]): void => {
    const who = around.flatMap((l) => (l.bind.kind === 'thread' ? [l.name] : [])).join()
    to.set(array, (to.get(array) ?? new Set()).add(who))
  }
  eachStmt(program.body, (s, around) => {
    if (s.kind === 'store') note(stored, s.array, around)
    ownExprs(s).forEach((e) =>
      eachExpr(e, (x) => {
        if (x.kind === 'read') note(read, x.array, around)
      }),
    )
  })
  return new Set(
    program.arrays.flatMap(({ name }) => {
      const by = stored.get(name)
      return by && new Set([...by, ...(read.get(name) ?? [])]).size > 1 ? [name] : []
    }),
  )
}

function walk(body: readonly LoopStmt[], state: State, known: Known, before: Set<LoopStmt>): void {
  for (const s of body) {
    if (s.kind === 'declare') continue
    if (known.met.has(s)) forget(state)
    if (isPhase(s)) phase(s, state, known.shared, before)
    else if (s.kind === 'loop') {
      const skipped = mayBeEmpty(s) ? copyOf(state) : undefined
      walk(s.body, state, known, before)
      rotate(state, s.name)
      walk(s.body, state, known, before)
      if (skipped) join(state, skipped)
    } else if (s.kind === 'if') branches(s.then, s.else, state, known, before)
  }
}

function branches(
  then: readonly LoopStmt[],
  otherwise: readonly LoopStmt[],
  state: State,
  known: Known,
  before: Set<LoopStmt>,
): void {
  const other = copyOf(state)
  walk(then, state, known, before)
  walk(otherwise, other, known, before)
  join(state, other)
}

/** What may have happened on another way is added to `state`. */
function join(state: State, other: State): void {
  other.reads.forEach((x) => state.reads.add(x))
  other.writes.forEach((x) => state.writes.add(x))
  other.atomics.forEach((x) => state.atomics.add(x))
}

const mayBeEmpty = (l: Loop): boolean => !((literal(l.lower) ?? Infinity) < (literal(l.upper) ?? -Infinity))

function phase(s: LoopStmt, state: State, shared: ReadonlySet<string>, before: Set<LoopStmt>): void {
  const own = accesses(s, shared)
  const clash =
    before.has(s) ||
    [...own.writes].some((x) => state.reads.has(x) || state.writes.has(x) || state.atomics.has(x)) ||
    [...own.reads].some((x) => state.writes.has(x) || state.atomics.has(x)) ||
    // atomics do not mind each other; what was found necessary stands there
    [...own.atomics].some((x) => state.reads.has(x) || state.writes.has(x))
  if (clash) {
    before.add(s)
    forget(state)
  }
  own.reads.forEach((x) => state.reads.add(x))
  own.writes.forEach((x) => state.writes.add(x))
  own.atomics.forEach((x) => state.atomics.add(x))
}

/** All threads are done with what they did. */
function forget(state: State): void {
  for (const set of [state.reads, state.writes, state.atomics]) set.clear()
}

/** The next iteration uses the other half of what rotates with this loop. */
function rotate(state: State, name: string): void {
  for (const set of [state.reads, state.writes, state.atomics])
    for (const key of [...set]) if (key.endsWith(`@${name}`)) set.delete(key)
}

/** Whether a statement is one phase: a store, or loops and guards that lead straight to a thread loop. */
function isPhase(s: LoopStmt): boolean {
  switch (s.kind) {
    case 'store':
      return true
    case 'declare':
      return false
    case 'loop':
      return s.bind.kind === 'thread' || (s.bind.kind !== 'serial' && onlyPhase(s.body)) || !containsThreads(s)
    case 'if':
      return s.else.length === 0 && !containsSerialThreads(s) && onlyPhase(s.then)
  }
}

const onlyPhase = (body: readonly LoopStmt[]): boolean => body.length === 1 && isPhase(body[0]!)

function containsThreads(l: Loop): boolean {
  return someStmt(l.body, (s) => s.kind === 'loop' && s.bind.kind === 'thread')
}

function containsSerialThreads(s: LoopStmt): boolean {
  return someStmt([s], (x) => x.kind === 'loop' && x.bind.kind === 'serial' && containsThreads(x))
}

function accesses(s: LoopStmt, shared: ReadonlySet<string>): State {
  const out = empty()
  eachStmt([s], (x) => {
    if (x.kind === 'store' && shared.has(x.array)) (x.atomic ? out.atomics : out.writes).add(key(x.array, x.index))
    ownExprs(x).forEach((e) =>
      eachExpr(e, (r) => {
        if (r.kind === 'read' && shared.has(r.array)) out.reads.add(key(r.array, r.index))
      }),
    )
  })
  return out
}

function key(array: string, index: readonly Expr[]): string {
  const first = index[0]
  const rotating =
    first?.kind === 'op' && first.op === 'rem' && first.args[0]?.kind === 'var' && literal(first.args[1]!) === 2
  return rotating && first.args[0]?.kind === 'var' ? `${array}@${first.args[0].name}` : array
}
