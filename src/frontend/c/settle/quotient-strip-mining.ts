// In: loops whose variable is divided by an even part of their extent (`o / (O / G)` with o below O, as grouped
// convolutions say). Out: the loop in as many strips, whose number is the quotient; dimensions that such places index
// are two. The one idea: what is divided is no linear subscript, but strips and places in them are loops like others.
// A constant that is a size and divides without a rest is that many times its part; sizes of callers stay as they are.
import {
  add,
  addScaled,
  affineConstant,
  affineExpr,
  affineOf,
  claimName,
  eachExpr,
  eachStmt,
  hasOnlySizes,
  int,
  literal,
  loopIR,
  loopVar,
  mapBody,
  mapStmtExprs,
  mul,
  namesOf,
  ownExprs,
  pass,
  rewriteExpr,
  sameExpr,
  sizeOf,
  someExpr,
  substituteStmt,
  isFixed,
  replaceReads,
  type Affine,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Size,
} from '../../../ir/index.ts'

// Before:
//
//   program p {
//     array x: f32[64] in global
//     array y: f32[64] out global
//     for i in 0 .. 64 {
//       y[i] = x[i / 16]
//     }
//   }
//
// After:
//
//   program p {
//     array x: f32[64] in global
//     array y: f32[64] out global
//     for i_strip in 0 .. 4 {
//       for i_place in 0 .. 16 {
//         y[i_strip * 16 + i_place] = x[i_strip]
//       }
//     }
//   }
export const quotientStripMining = pass<Program>({
  name: 'quotient-strip-mining',
  summary:
    'a loop whose variable is divided by an even part of its extent runs in strips, whose number is the quotient',
  of: loopIR,
  run: (program) => {
    const whole = withEvenParts(program),
      stripped = stripMined(whole)
    return stripped === whole ? program : (inTwo(stripped) ?? program)
  },
})

// ── sizes that are so many times a part ───────────────────────────────────────────────────────────────────────────

/** Constants of which the source takes an even part, or a quotient of what counts up to them, as multiples of it. */
function withEvenParts(program: Program): Program {
  const parts = new Map<string, number | undefined>()
  const note = (of: Expr | undefined, by: Expr | undefined): void => {
    const n = by && literal(by)
    if (of?.kind !== 'size' || n === undefined) return
    parts.set(of.name, parts.has(of.name) && parts.get(of.name) !== n ? undefined : n)
  }
  const see = (e: Expr): void =>
    eachExpr(e, (x) => {
      if (x.kind === 'op' && x.op === 'div') note(x.args[0], x.args[1])
    })
  program.arrays.forEach((a) => a.shape.forEach(see))
  eachStmt(program.body, (s) => {
    allExprs(s).forEach(see)
    if (s.kind === 'loop') note(s.upper, divisorOf(s))
  })
  const taken = namesOf(program),
    made = new Map<string, { readonly size: Size; readonly by: number }>()
  for (const s of program.sizes) {
    const by = parts.get(s.name)
    if (isFixed(s) && by !== undefined && by > 1 && s.planned % by === 0)
      made.set(s.name, { size: { ...s, name: claimName(taken, `${s.name}_${by}`), planned: s.planned / by }, by })
  }
  const f = (e: Expr): Expr =>
    rewriteExpr(e, (x) => {
      const m = x.kind === 'size' ? made.get(x.name) : undefined
      if (m) return mul(sizeOf(m.size.name), int(m.by))
      const [of, by] = x.kind === 'op' && x.op === 'div' ? x.args : []
      const n = by && literal(by),
        a = of && affineOf(of)
      const isEven =
        n !== undefined && a && hasOnlySizes(a) && a.constant === 0 && [...a.terms.values()].every((c) => c % n === 0)
      return isEven ? affineExpr(scaled(a, 1 / n)) : undefined
    })
  return made.size === 0
    ? program
    : {
        ...program,
        sizes: program.sizes.map((s) => made.get(s.name)?.size ?? s),
        arrays: program.arrays.map((a) => ({ ...a, shape: a.shape.map(f) })),
        body: program.body.map((s) => mapStmtExprs(s, f)),
      }
}

const allExprs = (s: LoopStmt): readonly Expr[] =>
  s.kind === 'loop' ? [s.lower, s.upper] : s.kind === 'if' ? [s.condition] : ownExprs(s)

// ── strips ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Loops in strips of what their variable is divided by. */
function stripMined(program: Program): Program {
  const taken = namesOf(program)
  const body = mapBody(program.body, (s) => (s.kind === 'loop' ? inStrips(s, taken) : undefined))
  return body === program.body ? program : { ...program, body }
}

/** Strips of fewer known places stay: they would be loops that no warp fills. */
const leastPlaces = 8

function inStrips(l: Loop, taken: Set<string>): LoopStmt[] | undefined {
  const by = divisorOf(l),
    count = by && literal(l.lower) === 0 && l.step === 1 ? timesIn(l.upper, by) : undefined
  if (!by || count === undefined || (literal(by) ?? Infinity) < leastPlaces) return undefined
  const strip = claimName(taken, `${l.name}_strip`),
    place = claimName(taken, `${l.name}_place`)
  const split = (e: Expr): Expr =>
    rewriteExpr(e, (x) =>
      isDivided(x, l.name) && sameExpr(x.args[1]!, by) ? loopVar(x.op === 'div' ? strip : place) : undefined,
    )
  const at = new Map([[l.name, add(mul(loopVar(strip), by), loopVar(place))]])
  const inner: Loop = {
    ...l,
    name: place,
    upper: by,
    body: l.body.map((s) => substituteStmt(mapStmtExprs(s, split), at)),
  }
  return [{ ...l, name: strip, upper: count, body: [inner] }]
}

type Division = Extract<Expr, { kind: 'op' }>

/** Whether the variable itself is divided by something that no loop changes. */
const isDivided = (e: Expr, name: string): e is Division =>
  e.kind === 'op' &&
  (e.op === 'div' || e.op === 'rem') &&
  e.type === 'i32' &&
  e.args[0]?.kind === 'var' &&
  e.args[0].name === name &&
  isOfSizes(e.args[1]!)

const isOfSizes = (e: Expr): boolean => {
  const a = affineOf(e)
  return a !== undefined && hasOnlySizes(a)
}

/** The one divisor of the loop's variable of which some quotient is taken. */
function divisorOf(l: Loop): Expr | undefined {
  let by: Expr | undefined,
    several = false,
    quotient = false
  eachStmt(l.body, (s) =>
    allExprs(s).forEach((e) =>
      eachExpr(e, (x) => {
        if (!isDivided(x, l.name)) return
        several ||= by !== undefined && !sameExpr(by, x.args[1]!)
        by = x.args[1]!
        quotient ||= x.op === 'div'
      }),
    ),
  )
  return several || !quotient ? undefined : by
}

/** How many times the part, where there is no rest; a number where the part is none. */
function timesIn(whole: Expr, part: Expr): Expr | undefined {
  const a = affineOf(whole),
    b = affineOf(part)
  if (!a || !b) return undefined
  const [name, c] = [...b.terms][0] ?? [],
    coefficients = [a.constant, ...a.terms.values()]
  if (name === undefined && hasOnlySizes(a) && a.terms.size > 0 && coefficients.every((x) => x % b.constant === 0))
    return affineExpr(scaled(a, 1 / b.constant))
  const times = ((name === undefined ? a.constant : a.terms.get(name)) ?? 0) / (c ?? b.constant)
  if (!Number.isInteger(times) || times < 2) return undefined
  const rest = addScaled(a, b, -times)
  return rest.constant === 0 && rest.terms.size === 0 ? int(times) : undefined
}

const scaled = (a: Affine, factor: number): Affine => addScaled(affineConstant(0), a, factor)

// ── two dimensions of one ─────────────────────────────────────────────────────────────────────────────────────────

/** Dimensions indexed by strip × size + place as two; undefined where a product of a variable with a size is left. */
function inTwo(program: Program): Program | undefined {
  let current: Program | undefined = program
  for (const a of program.arrays)
    for (let d = a.shape.length - 1; d >= 0 && current; d--) current = dimensionInTwo(current, a.name, d)
  return current
}

/** The program with a dimension as two where some place in it is of a strip; undefined where another one is not. */
function dimensionInTwo(program: Program, array: string, d: number): Program | undefined {
  const shape = program.arrays.find((a) => a.name === array)!.shape, // it is one of them
    part = partOf(shape[d]!)
  const loops = new Map<string, Loop>(),
    places: Expr[] = []
  eachStmt(program.body, (s) => {
    if (s.kind === 'loop') loops.set(s.name, s)
    if (s.kind === 'store' && s.array === array) places.push(s.index[d]!)
    allExprs(s).forEach((e) =>
      eachExpr(e, (x) => {
        if (x.kind === 'read' && x.array === array) places.push(x.index[d]!)
      }),
    )
  })
  if (!places.some(hasProduct)) return program
  if (!part || !places.every((e) => twoOf(e, part.size, part.times, loops))) return undefined
  const both = (index: readonly Expr[]): readonly Expr[] => {
    const two = twoOf(index[d]!, part.size, part.times, loops)! // asked above
    return [...index.slice(0, d), two.strip, two.place, ...index.slice(d + 1)]
  }
  const f = (e: Expr): Expr => replaceReads(e, array, (x) => ({ ...x, index: both(x.index) }))
  const body = mapBody(
    program.body.map((s) => mapStmtExprs(s, f)),
    (s) => (s.kind === 'store' && s.array === array ? [{ ...s, index: both(s.index) }] : undefined),
  )
  const split = [...shape.slice(0, d), int(part.times), part.size, ...shape.slice(d + 1)]
  return { ...program, arrays: program.arrays.map((a) => (a.name === array ? { ...a, shape: split } : a)), body }
}

/** Whether a place has a product of two things that are no numbers. */
const hasProduct = (e: Expr): boolean =>
  someExpr(e, (x) => x.kind === 'op' && x.op === 'mul' && x.args.every((y) => literal(y) === undefined))

/** An extent that is a number of times a size. */
function partOf(extent: Expr): { readonly size: Expr; readonly times: number } | undefined {
  const a = affineOf(extent),
    [only, more] = [...(a?.terms ?? [])]
  return a?.constant === 0 && only && !more && only[0].startsWith('$') && only[1] > 1
    ? { size: sizeOf(only[0].slice(1)), times: only[1] }
    : undefined
}

/** strip × size + place, each in its range. */
function twoOf(
  e: Expr,
  size: Expr,
  times: number,
  loops: ReadonlyMap<string, Loop>,
): { readonly strip: Expr; readonly place: Expr } | undefined {
  const below = (x: Expr | undefined, end: (upper: Expr) => boolean): boolean => {
    const l = x?.kind === 'var' ? loops.get(x.name) : undefined
    return l !== undefined && literal(l.lower) === 0 && end(l.upper)
  }
  if (e.kind !== 'op' || e.op !== 'add') return undefined
  for (const [product, place] of [e.args, [...e.args].reverse()]) {
    const [strip, by] = product?.kind === 'op' && product.op === 'mul' ? product.args : []
    for (const [v, c] of [
      [strip, by],
      [by, strip],
    ])
      if (
        v &&
        c &&
        place &&
        sameExpr(c, size) &&
        below(v, (u) => (literal(u) ?? Infinity) <= times) &&
        below(place, (u) => sameExpr(u, size))
      )
        return { strip: v, place }
  }
  return undefined
}
