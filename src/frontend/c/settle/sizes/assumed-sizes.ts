// In: a program with shapes, and the sizes that nothing says. Out: what to plan for instead, where arrays or loops are
// more than a GPU has room or time for, where sizes that are taken from others leave loops nothing (`n - k`), for
// windows, whose radius is small, and for masks. The one idea: only what was assumed is halved, the greatest of what a
// too large array or loop nest is made of first; what was said and cannot be is refused. Counted in doubles, because
// 1024⁴ is 0 in 32 bits.
import { fail } from '../../../../base/index.ts'
import { guardedWindows, stepsIn, type Windows } from '../access-steps.ts'
import {
  accesses,
  affineOf,
  extreme,
  coefficient,
  asMask,
  isEndless,
  literal,
  maskSizes,
  mostElements,
  planValue,
  someStmt,
  sub,
  type Affine,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Size,
} from '../../../../ir/index.ts'
import { distinctSizes } from '../extent-inference.ts'

/** Elements of an array, and iterations of a nest of loops, for which sizes are assumed. */
const likelyElements = 2 ** 28,
  mostIterations = 2 ** 40
/** How far a window is assumed to go to each side: 9 × 9 elements of an image. */
const likelyRadius = 4
/** Sizes are not halved below twice that. */
const leastAssumed = 4

type Sizes = ReadonlyMap<string, number>

/** A number of elements or iterations, and the sizes that it is made of. */
interface Amount {
  readonly value: number
  readonly sizes: ReadonlySet<string>
}

/** Elements of a side of a window, and by how far it begins before an image. */
const likelyWindow = 3,
  likelyPad = 1
/** How far loops step from one window to the next, and from one of its elements to the next. */
const likelyStep = 1

/**
 * What to plan for instead of `assumed` sizes that are strides, dilations, or pads and sides of windows whose places
 * are compared with 0, by name.
 */
export function usualSteps(program: Program, assumed: ReadonlySet<string>): Sizes {
  const { sides, pads } = guardedWindows(program),
    all = [
      ...[...sides].map((name) => [name, likelyWindow] as const),
      ...[...pads].map((name) => [name, likelyPad] as const),
      ...[...stepsIn(program)].map((name) => [name, likelyStep] as const),
    ]
  return new Map(all.filter(([name]) => assumed.has(name)))
}

/**
 * Smaller values for some of `assumed`, by name, at which arrays and loops of `program` are possible; and for windows,
 * which are small. Empty where all are.
 */
export function manageable(program: Program, assumed: ReadonlySet<string>): Sizes {
  const { sides, pads } = windowsIn(program),
    masks = maskSizes(program.body)
  const usual = ({ name, planned, counts }: Size): number | undefined => {
    if (isRadius(program, name)) return likelyRadius
    if (sides.has(name)) return likelyWindow
    if (pads.has(name)) return likelyPad
    return !counts && masks.has(name) ? asMask(planned) : undefined
  }
  const made = new Map<string, number>(
      program.sizes.flatMap((s) => {
        const value = assumed.has(s.name) ? usual(s) : undefined
        return value === undefined ? [] : [[s.name, value]]
      }),
    ),
    values = new Map([...program.sizes.map((s) => [s.name, s.planned] as const), ...made])
  for (;;) {
    const isOpen = (name: string): boolean => assumed.has(name) && values.get(name)! >= 2 * leastAssumed // a size of it
    const large = tooLarge(program, values).flatMap((x) => {
      const open = [...x.sizes].filter(isOpen)
      const greatest = Math.max(...open.map((name) => values.get(name)!))
      return open.filter((name) => values.get(name) === greatest)
    })
    const taking = [...takenFrom(program, values, new Map()), ...takenFromPlaces(program, values)].filter(isOpen)
    if (large.length + taking.length === 0) return made
    for (const name of new Set([...large, ...taking])) {
      const half = Math.floor(values.get(name)! / 2)
      made.set(name, half)
      values.set(name, half)
    }
  }
}

/**
 * Sizes that are taken from others in bounds (`maxd + 4 … w - 4`, `0 … n - k`), where more than half of a loop's
 * iterations is taken: what is left must be worth to plan for.
 */
function takenFrom(program: Program, values: Sizes, middles: Sizes, body = program.body): readonly string[] {
  return body.flatMap((s): readonly string[] => {
    if (s.kind === 'if') return [s.then, s.else].flatMap((b) => takenFrom(program, values, middles, b))
    if (s.kind !== 'loop') return []
    const taken = [...values.keys()].filter((name) => signIn(s.lower, name) > 0 || signIn(s.upper, name) < 0),
      without = new Map([...values, ...taken.map((name) => [name, 0] as const)])
    const turns = (at: Sizes): number | undefined => {
      const low = valueOf(s.lower, at, middles),
        high = valueOf(s.upper, at, middles)
      return low === undefined || high === undefined ? undefined : high - low
    }
    const now = turns(values),
      most = turns(without)
    const low = valueOf(s.lower, values, middles),
      inside = low === undefined || now === undefined ? middles : new Map([...middles, [s.name, low + now / 2]])
    return [
      ...(now !== undefined && most !== undefined && most > 0 && 2 * now < most ? taken : []),
      ...takenFrom(program, values, inside, s.body),
    ]
  })
}

/**
 * Sizes that are taken from places under no condition (`p[i - k]` in `i` from `l` and `k` to `s`), where these go below
 * 0: as many as half of them are taken too much.
 */
function takenFromPlaces(program: Program, values: Sizes): readonly string[] {
  return accesses(program).flatMap(({ index, loops, holding }) => {
    const lengths = loops.map((l, i) => endOf(sub(l.upper, l.lower), loops.slice(0, i), 'high')),
      places = index.map((e) => endOf(e, loops, 'low'))
    if (holding.length > 0 || !lengths.every((f) => f !== undefined) || !places.every((f) => f !== undefined)) return []
    const lowest = (at: Sizes): number | undefined =>
      lengths.every((f) => valueIn(f, at) > 0) ? Math.min(...places.map((f) => valueIn(f, at))) : undefined
    const now = lowest(values)
    if (now === undefined || now >= 0) return []
    return [...values].flatMap(([name, value]) => {
      const then = lowest(new Map([...values, [name, Math.floor(value / 2)]]))
      return then !== undefined && then > now ? [name] : []
    })
  })
}

/** The least or the greatest value of a linear expression over loops, in sizes. */
function endOf(e: Expr, loops: readonly Loop[], side: 'low' | 'high'): Affine | undefined {
  const form = affineOf(e)
  return form && extreme(form, loops, side)
}

/** The value of a form of sizes, whose names begin with `$`. */
const valueIn = (form: Affine, values: Sizes): number =>
  [...form.terms].reduce((sum, [name, by]) => sum + by * (values.get(name.slice(1)) ?? 0), form.constant)

/** Whether loops run from so far before something to as far behind it (`-r … r`, `i - r … i + r`): over a window. */
function isRadius(program: Program, size: string): boolean {
  return (
    !program.arrays.some((a) => a.shape.some((e) => distinctSizes(e).includes(size))) &&
    someStmt(program.body, (s) => s.kind === 'loop' && signIn(s.lower, size) < 0 && signIn(s.upper, size) > 0)
  )
}

/**
 * The windows that loops move over arrays: in two subscripts of an access (`x[c, i + k - pad, j + l - pad]`) the
 * variable of a loop to a size of its own is added to that of another loop, which is outside of it or ends earlier by
 * that size.
 */
function windowsIn(program: Program): Windows {
  const sides = new Set<string>(),
    pads = new Set<string>()
  for (const { index, loops } of accesses(program)) {
    const windows = index.flatMap((e) => {
      const form = affineOf(e),
        over = form && sideIn(form, loops)
      return form && over ? [{ side: over, form }] : []
    })
    if (windows.length < 2) continue
    for (const { side, form } of windows) {
      sides.add(side)
      for (const name of form.terms.keys()) if (name.startsWith('$')) pads.add(name.slice(1))
    }
  }
  const lengths = new Set(program.arrays.flatMap((a) => a.shape.flatMap((e) => (e.kind === 'size' ? [e.name] : []))))
  return { sides, pads: new Set([...pads].filter((name) => !sides.has(name) && !lengths.has(name))) }
}

/** The size of the window that a subscript walks over. */
function sideIn(form: Affine, loops: readonly Loop[]): string | undefined {
  const own = loops.filter((l) => coefficient(form, l.name) !== 0)
  const inside = own.find(
    (l) =>
      l.upper.kind === 'size' &&
      own.some((o) => o !== l && (loops.indexOf(o) < loops.indexOf(l) || signIn(o.upper, sizeNameOf(l.upper)) < 0)),
  )
  return inside && sizeNameOf(inside.upper)
}

const sizeNameOf = (e: Expr): string => (e.kind === 'size' ? e.name : '')

/** The sign of what a size is multiplied by in a bound, which may be clipped; 0 where it is not in it. */
function signIn(e: Expr, size: string): number {
  const form = affineOf(e)
  if (form) return Math.sign(coefficient(form, `$${size}`))
  if (e.kind === 'op' && e.op === 'div' && (literal(e.args[1]!) ?? 0) > 0) return signIn(e.args[0]!, size)
  if (e.kind !== 'op' || !['max', 'min', 'add', 'sub'].includes(e.op)) return 0
  const signs = e.args.map((x, i) => (e.op === 'sub' && i === 1 ? -1 : 1) * signIn(x, size))
  return signs.find((n) => n !== 0) ?? 0
}

/** Throws a `DiagnosticError` for an array of more elements than kernels can count at the planned sizes. */
export function checkElements(program: Program): void {
  const values = new Map(program.sizes.map((s) => [s.name, s.planned]))
  for (const a of program.arrays) {
    const { value, sizes } = elements(a, values)
    if (value <= mostElements) continue
    const at = sizes.size === 0 ? '' : ` at ${[...sizes].map((name) => `${name} = ${values.get(name)!}`).join(', ')}`
    fail(
      'c.size',
      `the array ${a.name} has ${value.toExponential(1)} elements${at}, and kernels count at most ${mostElements}`,
      a.at,
      'plan smaller sizes with #pragma tesela sizes(…) or -D',
    )
  }
}

/** Iterations of the nest of loops that has most, at these sizes. */
export const mostIterationsOf = (program: Program, values: Sizes): number =>
  Math.max(0, ...iterations(program.body, values, new Map()).map((x) => x.value))

/** Elements of the largest array, at these sizes. */
export const largestArrayOf = (program: Program, values: Sizes): number =>
  Math.max(0, ...program.arrays.map((a) => elements(a, values).value))

function tooLarge(program: Program, values: Sizes): readonly Amount[] {
  const large = program.arrays.map((a) => elements(a, values)).filter((x) => x.value > likelyElements)
  return large.length > 0 ? large : iterations(program.body, values, new Map()).filter((x) => x.value > mostIterations)
}

function elements(a: ArrayDecl, values: Sizes): Amount {
  const value = a.shape.reduce((n, e) => n * Math.max(0, valueOf(e, values, new Map()) ?? 0), 1)
  return { value, sizes: new Set(a.shape.flatMap(distinctSizes)) }
}

/**
 * How often each store runs; bounds that use outer variables count with these in their middles, and what data decide as
 * one.
 */
function iterations(body: readonly LoopStmt[], values: Sizes, middles: Sizes): readonly Amount[] {
  return body.flatMap((s): readonly Amount[] => {
    switch (s.kind) {
      case 'store':
        return [{ value: 1, sizes: new Set() }]
      case 'declare':
        return []
      case 'if':
        return [...iterations(s.then, values, middles), ...iterations(s.else, values, middles)]
      case 'loop': {
        const low = valueOf(s.lower, values, middles),
          high = valueOf(s.upper, values, middles)
        const known = low !== undefined && high !== undefined && !isEndless(s),
          turns = known ? Math.max(0, (high - low) / s.step) : 1
        const own = [...distinctSizes(s.lower), ...distinctSizes(s.upper)]
        return iterations(s.body, values, known ? new Map([...middles, [s.name, (low + high) / 2]]) : middles).map(
          (x) => ({ value: turns * x.value, sizes: new Set([...own, ...x.sizes]) }),
        )
      }
    }
  })
}

/** `e` in doubles; `undefined` where data or the caller's scalars say it. */
function valueOf(e: Expr, values: Sizes, variables: Sizes): number | undefined {
  switch (e.kind) {
    case 'const':
      return Number(e.value)
    case 'size':
      return values.get(e.name)
    case 'var':
      return variables.get(e.name)
    case 'read':
    case 'scalar':
      return undefined
    case 'choose': {
      const c = valueOf(e.condition, values, variables)
      return c === undefined ? undefined : valueOf(c !== 0 ? e.then : e.else, values, variables)
    }
    case 'op': {
      const [a, b] = e.args.map((x) => valueOf(x, values, variables))
      if (e.op === 'mul' || e.op === 'add' || e.op === 'sub')
        return a === undefined || b === undefined ? undefined : e.op === 'mul' ? a * b : e.op === 'add' ? a + b : a - b
      const known = e.args.every((x) => valueOf(x, values, variables) !== undefined)
      return known
        ? planValue(e, {
            sizes: Object.fromEntries(values),
            scalars: {},
            variables: Object.fromEntries([...variables].map(([name, v]) => [name, Math.floor(v)])),
          })
        : undefined
    }
  }
}
