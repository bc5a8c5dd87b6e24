// For tests: the dependences of a program found by running it on small sizes and comparing every two accesses to the
// same element. Slow and obvious; `analysis/dependences` must say the same.
import { accesses, type Access, type Expr, type LoopStmt, type Program } from '../../src/ir/index.ts'

export interface Observed {
  /** `source access → sink access @ level`, by position in `accesses(p)`; level `-` when no loop carries it. */
  readonly keys: ReadonlySet<string>
  /** For each key the differences sink − source seen in each common loop. */
  readonly deltas: ReadonlyMap<string, readonly ReadonlySet<number>[]>
}

interface Event {
  readonly access: number
  readonly iteration: readonly number[]
}

export function evaluateIndex(e: Expr, env: ReadonlyMap<string, number>): number {
  switch (e.kind) {
    case 'const':
      return Number(e.value)
    case 'var':
      return env.get(e.name)!
    case 'size':
      return env.get(`$${e.name}`)!
    case 'scalar':
    case 'read':
      throw new Error('only linear programs here')
    case 'choose':
      return evaluateIndex(e.condition, env) ? evaluateIndex(e.then, env) : evaluateIndex(e.else, env)
    case 'op': {
      const [a, b] = e.args.map((x) => evaluateIndex(x, env)) as [number, number]
      switch (e.op) {
        case 'add':
          return a + b
        case 'sub':
          return a - b
        case 'mul':
          return a * b
        case 'div':
          return Math.trunc(a / b)
        case 'rem':
          return a % b
        case 'min':
          return Math.min(a, b)
        case 'max':
          return Math.max(a, b)
        case 'lt':
          return +(a < b)
        case 'le':
          return +(a <= b)
        case 'gt':
          return +(a > b)
        case 'ge':
          return +(a >= b)
        case 'eq':
          return +(a === b)
        case 'ne':
          return +(a !== b)
        case 'land':
          return +(!!a && !!b)
        case 'lor':
          return +(!!a || !!b)
        default:
          throw new Error(`no ${e.op} in linear programs`)
      }
    }
  }
}

/** Runs `p` for one choice of sizes and adds what is seen. */
export function observe(
  p: Program,
  all: readonly Access[],
  sizes: Readonly<Record<string, number>>,
  keys: Set<string>,
  deltas: Map<string, Set<number>[]>,
): void {
  const byStatement = new Map<string, number[]>()
  all.forEach((a, i) => {
    const key = a.path.join('.')
    byStatement.set(key, [...(byStatement.get(key) ?? []), i])
  })
  const memory = new Map<string, Event[]>()
  const env = new Map(Object.entries(sizes).map(([n, v]) => [`$${n}`, v]))
  const touch = (path: readonly number[]): void => {
    for (const i of byStatement.get(path.join('.')) ?? []) {
      const a = all[i]!,
        iteration = a.loops.map((l) => env.get(l.name)!)
      const instance = a.declared ? `${a.declared.path.join('.')}:${iteration.slice(0, a.declared.loops).join()}` : ''
      const cell = `${a.array}[${a.index.map((e) => evaluateIndex(e, env)).join()}]${instance}`
      const before = memory.get(cell) ?? []
      for (const e of before) compare(all, e, { access: i, iteration }, keys, deltas)
      before.push({ access: i, iteration })
      memory.set(cell, before)
    }
  }
  const run = (body: readonly LoopStmt[], path: readonly number[], from = 0): void =>
    body.forEach((s, k) => {
      const here = [...path, from + k]
      if (s.kind === 'declare') return
      touch(here)
      if (s.kind === 'if') {
        if (evaluateIndex(s.condition, env)) run(s.then, here)
        else run(s.else, here, s.then.length)
      }
      if (s.kind !== 'loop') return
      const end = evaluateIndex(s.upper, env)
      for (let v = evaluateIndex(s.lower, env); v < end; v += s.step) {
        env.set(s.name, v)
        run(s.body, here)
      }
      env.delete(s.name)
    })
  run(p.body, [])
}

function compare(
  all: readonly Access[],
  x: Event,
  y: Event,
  keys: Set<string>,
  deltas: Map<string, Set<number>[]>,
): void {
  const a = all[x.access]!,
    b = all[y.access]!
  if (a.kind === 'read' && b.kind === 'read') return
  let n = 0
  while (n < a.loops.length && n < b.loops.length && a.loops[n] === b.loops[n]) n++
  let level = 0
  while (level < n && x.iteration[level] === y.iteration[level]) level++
  if (level === n && a.path.join('.') === b.path.join('.')) return // one statement instance
  const key = `${x.access}→${y.access} @ ${level === n ? '-' : level}`
  keys.add(key)
  const seen = deltas.get(key) ?? a.loops.slice(0, n).map(() => new Set<number>())
  for (let k = 0; k < n; k++) seen[k]!.add((y.iteration[k]! - x.iteration[k]!) / a.loops[k]!.step)
  deltas.set(key, seen)
}

/** Everything seen for all sizes from 1 to `most`. */
export function observed(p: Program, most: number): Observed {
  const all = accesses(p),
    keys = new Set<string>(),
    deltas = new Map<string, Set<number>[]>()
  const names = p.sizes.map((s) => s.name)
  const go = (sizes: Record<string, number>, k: number): void => {
    if (k === names.length) return observe(p, all, sizes, keys, deltas)
    for (let v = 1; v <= most; v++) go({ ...sizes, [names[k]!]: v }, k + 1)
  }
  go({}, 0)
  return { keys, deltas }
}
