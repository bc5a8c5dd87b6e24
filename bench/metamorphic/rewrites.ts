// In: a C function as `programs.ts` writes them. Out: the same in another spelling, by name. The one idea: metamorphic
// testing (Chen 1998): what a program means does not change, so what the compiler makes of it should not either. A
// rewrite that finds nothing to change gives the same object.
import { fail, type Span } from '../../src/base/index.ts'
import {
  assignOf,
  binaryOf,
  blockOf,
  declareOf,
  mapC,
  mapParts,
  nameOf,
  numberOf,
  replacedIn,
} from '../../src/frontend/c/c-to-c/c-rewriting.ts'
import type { CExpr, CFunction, CStmt } from '../../src/frontend/c/text/syntax.ts'

type For = Extract<CStmt, { kind: 'for' }>
type Rewrite = (f: CFunction) => CFunction

/** A counted loop: its variable, and the first value that it does not take. */
interface Counted {
  readonly name: string
  readonly end: CExpr
  readonly body: CStmt
  readonly at: Span
}

function counted(s: For): Counted {
  const declarator = s.init?.kind === 'declare' ? s.init.declarators[0] : undefined
  if (!declarator || s.condition?.kind !== 'binary') return fail('metamorphic.loop', 'programs count from 0 by 1', s.at)
  return { name: declarator.name, end: s.condition.right, body: s.body, at: s.at }
}

/** `f` with each counted loop, innermost first, as `write` says it. */
const loopsAs =
  (write: (l: Counted) => CStmt): Rewrite =>
  (f) => {
    const visit = (s: CStmt): CStmt => {
      const inside = mapParts(s, (e) => e, visit)
      return inside.kind === 'for' ? write(counted(inside)) : inside
    }
    return { ...f, body: blockOf(f.body.body.map(visit), f.body.at) }
  }

const expressionsAs =
  (change: (e: CExpr) => CExpr): Rewrite =>
  (f) => {
    const visit = (s: CStmt): CStmt => mapParts(s, (e) => mapC(e, change), visit)
    return { ...f, body: blockOf(f.body.body.map(visit), f.body.at) }
  }

const assigned = (left: CExpr, op: string, right: CExpr, at: Span): CExpr => ({ kind: 'assign', op, left, right, at })
const updated = (name: string, op: '++' | '--', at: Span): CExpr => ({ kind: 'update', op, arg: nameOf(name, at), at })
const loopOf = (init: CStmt, condition: CExpr, update: CExpr, body: CStmt): CStmt => ({
  kind: 'for',
  init,
  condition,
  update,
  body,
  at: body.at,
})
const below = (l: Counted): CExpr => binaryOf('<', nameOf(l.name, l.at), l.end)
const start = (l: Counted, value: CExpr): CStmt => declareOf(l.name, 'i32', l.at, value)

const reversed = loopsAs((l) =>
  loopOf(
    start(l, binaryOf('-', l.end, numberOf(1, l.at))),
    binaryOf('>=', nameOf(l.name, l.at), numberOf(0, l.at)),
    updated(l.name, '--', l.at),
    l.body,
  ),
)

const whileLoops = loopsAs((l) => {
  const step: CStmt = { kind: 'expr', expr: updated(l.name, '++', l.at), at: l.at },
    loop: CStmt = { kind: 'while', condition: below(l), body: blockOf([l.body, step], l.at), at: l.at }
  return blockOf([start(l, numberOf(0, l.at)), loop], l.at)
})

const fromOne = loopsAs((l) =>
  loopOf(
    start(l, numberOf(1, l.at)),
    binaryOf('<=', nameOf(l.name, l.at), l.end),
    updated(l.name, '++', l.at),
    replacedIn(l.body, l.name, binaryOf('-', nameOf(l.name, l.at), numberOf(1, l.at))),
  ),
)

const guarded = loopsAs((l) => {
  const inside: CStmt = { kind: 'if', condition: below(l), then: l.body, else: null, at: l.at },
    further = binaryOf('<', nameOf(l.name, l.at), binaryOf('+', l.end, numberOf(1, l.at)))
  return loopOf(start(l, numberOf(0, l.at)), further, updated(l.name, '++', l.at), inside)
})

const strips = 16

const inStrips = loopsAs((l) => {
  if (l.end.kind === 'number') return loopOf(start(l, numberOf(0, l.at)), below(l), updated(l.name, '++', l.at), l.body)
  const outer = { ...l, name: `${l.name}_strip` },
    first = nameOf(outer.name, l.at),
    last = binaryOf('+', first, numberOf(strips, l.at))
  const isWhole = binaryOf('<', last, l.end),
    end: CExpr = { kind: 'choose', condition: isWhole, then: last, else: l.end, at: l.at },
    inner = loopOf(start(l, first), binaryOf('<', nameOf(l.name, l.at), end), updated(l.name, '++', l.at), l.body),
    next = assigned(first, '+', numberOf(strips, l.at), l.at)
  return loopOf(start(outer, numberOf(0, l.at)), below(outer), next, inner)
})

/** The outermost two loops in the other order, where nothing stands between them. */
const interchanged: Rewrite = (f) => {
  const [outer] = f.body.body,
    only = outer?.kind === 'for' && outer.body.kind === 'block' && outer.body.body.length === 1 && outer.body.body[0]
  if (outer?.kind !== 'for' || !only || only.kind !== 'for') return f
  return { ...f, body: blockOf([{ ...only, body: blockOf([{ ...outer, body: only.body }], f.at) }], f.body.at) }
}

/** Arrays as pointers, with the subscripts that their rows have. */
const flat: Rewrite = (f) => {
  const rows = new Map(f.parameters.flatMap((p) => (p.extents.length === 2 ? [[p.name, p.extents[1]!] as const] : [])))
  const change = (e: CExpr): CExpr => {
    if (e.kind !== 'index' || e.base.kind !== 'index' || e.base.base.kind !== 'name') return e
    const row = rows.get(e.base.base.name)
    return row ? { ...e, base: e.base.base, index: binaryOf('+', binaryOf('*', e.base.index, row), e.index) } : e
  }
  return { ...expressionsAs(change)(f), parameters: pointers(f) }
}

const pointers = (f: CFunction): CFunction['parameters'] =>
  f.parameters.map((p) => (p.extents.length > 0 ? { ...p, extents: [null], pointer: true as const } : p))

/** Arrays as pointers that are moved and followed. */
const followed: Rewrite = (f) =>
  expressionsAs((e) => (e.kind === 'index' ? { kind: 'deref', arg: binaryOf('+', e.base, e.index), at: e.at } : e))(
    flat(f),
  )

/** Arrays as pointers whose rows the caller pads. */
const pitched: Rewrite = (f) => {
  const arrays = f.parameters.filter((p) => p.extents.length === 2)
  if (arrays.length === 0 || !arrays.every((p) => p.extents[1]?.kind === 'name')) return f
  const pitch = (name: string): string => `pitch_${name}`,
    named = arrays.map((p) => ({ ...p, extents: [p.extents[0]!, nameOf(pitch(p.name), p.at)] }))
  const made = flat({ ...f, parameters: f.parameters.map((p) => named.find((x) => x.name === p.name) ?? p) })
  const more = arrays.map((p) => ({ name: pitch(p.name), type: 'i32' as const, extents: [], at: p.at }))
  return { ...made, parameters: [...made.parameters, ...more] }
}

/** `x += e` as `x = x + e`. */
const longForm = expressionsAs((e) =>
  e.kind === 'assign' && e.op !== '' ? { ...e, op: '', right: binaryOf(e.op, e.left, e.right) } : e,
)

/** Each value in a variable of its own first. */
const temporaries: Rewrite = (f) => {
  let n = 0
  const visit = (s: CStmt): CStmt => {
    if (s.kind !== 'expr' || s.expr.kind !== 'assign')
      return s.kind === 'for' ? { ...s, body: visit(s.body) } : mapParts(s, (e) => e, visit)
    const name = `value_${n++}`,
      set: CStmt = { ...s, expr: { ...s.expr, right: nameOf(name, s.at) } }
    return blockOf([declareOf(name, 'f32', s.at, s.expr.right), set], s.at)
  }
  return { ...f, body: blockOf(f.body.body.map(visit), f.body.at) }
}

/** Variables declared at the start of the function. */
const declaredFirst: Rewrite = (f) => {
  const found = new Map<string, CStmt>()
  const visit = (s: CStmt): CStmt => {
    if (s.kind !== 'declare') return mapParts(s, (e) => e, visit)
    const [d] = s.declarators
    if (!d?.initial) return s
    found.set(d.name, declareOf(d.name, d.type, s.at))
    return assignOf(nameOf(d.name, s.at), d.initial)
  }
  const body = f.body.body.map(visit)
  return { ...f, body: blockOf([...found.values(), ...body], f.body.at) }
}

/** Sums in memory: `y[i] = 0; for … y[i] += e;` for `s = 0; for … s += e; y[i] = s;`. */
const inMemory: Rewrite = (f) => {
  const list = (body: readonly CStmt[]): readonly CStmt[] => {
    const [first, sum, last, more] = body
    const d = first?.kind === 'declare' ? first.declarators[0] : undefined,
      target =
        last?.kind === 'expr' && last.expr.kind === 'assign' && last.expr.right.kind === 'name' ? last.expr : undefined
    if (
      !d?.initial ||
      sum?.kind !== 'for' ||
      !target ||
      more ||
      target.right.kind !== 'name' ||
      target.right.name !== d.name
    )
      return body.map(visit)
    return [assignOf(target.left, d.initial), replacedIn(sum, d.name, target.left)]
  }
  const visit = (s: CStmt): CStmt => (s.kind === 'block' ? { ...s, body: list(s.body) } : mapParts(s, (e) => e, visit))
  return { ...f, body: blockOf(list(f.body.body), f.body.at) }
}

/** Products of elements by a function. */
const byHelper = expressionsAs((e) =>
  e.kind === 'binary' && e.op === '*' && e.right.kind === 'index'
    ? { kind: 'call', name: 'times', args: [e.left, e.right], at: e.at }
    : e,
)

/** The function that rewrites may call. */
export const helpers = 'static float times(float a, float b) { return a * b; }\n'

export const rewrites: Readonly<Record<string, Rewrite>> = {
  reversed,
  while: whileLoops,
  'from-one': fromOne,
  guarded,
  strips: inStrips,
  interchanged,
  flat,
  followed,
  pitched,
  'long-form': longForm,
  temporaries,
  'declared-first': declaredFirst,
  'in-memory': inMemory,
  helper: byHelper,
}
