// In: a program whose sizes must keep conditions (`stride >= w`), and some sizes. Out: sizes nearby that keep them, or
// that break each of them. The one idea: a condition is a linear form that is not negative, and one of its sizes moves
// it to either side of 0; or a size is one number, or a multiple. Conditions of other kinds are left as they fall.
import {
  conditionsOf,
  affineConditionOf,
  keepsConditions,
  literal,
  planValue,
  isFixed,
  type Affine,
  type Expr,
  type Program,
  type Size,
} from '../../ir/index.ts'

type Sizes = Readonly<Record<string, number>>

/** How far a condition is from failing where there is room. */
const room = 3
/** Rounds in which sizes are raised: one may break the condition of another. */
const mostRounds = 4

/** `sizes`, of which some are raised until the conditions of `program` hold. */
export function raisedToConditions(program: Program, sizes: Sizes): Sizes {
  let current = sizes
  for (let n = 0; n < mostRounds && !keepsConditions(program, { sizes: current, scalars: {} }); n++)
    for (const e of conditionsOf(program)) current = raised(program, e, current)
  return current
}

/** For each condition, `sizes` where it holds with room to spare, and where it just fails. */
export function beside(program: Program, sizes: Sizes): readonly Sizes[] {
  return conditionsOf(program).flatMap((e) => {
    const only = oneNumber(program, e)
    if (only) return othersThan.map((more) => ({ ...sizes, [only.name]: only.value + more }))
    const form = affineConditionOf(e),
      moved = form && movable(program, form)
    if (!form || !moved) return []
    const by = Math.floor(valueOf(form, sizes) / moved.factor) + 1,
      value = sizes[moved.size.name]! - by // every size has a value
    const roomy = { ...sizes, [moved.size.name]: sizes[moved.size.name]! + room }
    return value < moved.size.min ? [roomy] : [roomy, { ...sizes, [moved.size.name]: value }]
  })
}

/** What a size is instead where it should be one number. */
const othersThan = [1, 2]

/** The size, and the number that a condition asks it to be. */
function oneNumber(program: Program, e: Expr): { readonly name: string; readonly value: number } | undefined {
  const [a, b] = e.kind === 'op' && e.op === 'eq' ? e.args : []
  const value = b && literal(b)
  return a?.kind === 'size' && value !== undefined && program.sizes.some((s) => s.name === a.name && !isFixed(s))
    ? { name: a.name, value }
    : undefined
}

function raised(program: Program, e: Expr, sizes: Sizes): Sizes {
  const only = oneNumber(program, e)
  if (only) return { ...sizes, [only.name]: only.value }
  const form = affineConditionOf(e)
  if (!form) return multiple(program, e, sizes)
  const moved = movable(program, form),
    lack = -valueOf(form, sizes)
  if (!moved || lack <= 0) return sizes
  const { size, factor } = moved
  return { ...sizes, [size.name]: sizes[size.name]! + Math.ceil(lack / factor) } // every size has a value
}

/** `sizes` where `a % b == 0` of two sizes holds. */
function multiple(program: Program, e: Expr, sizes: Sizes): Sizes {
  const [rest, none] = e.kind === 'op' && e.op === 'eq' ? e.args : []
  const [of, by] = rest?.kind === 'op' && rest.op === 'rem' && none?.kind === 'const' ? rest.args : []
  const size = of?.kind === 'size' ? program.sizes.find((s) => s.name === of.name && !isFixed(s)) : undefined
  if (!size || !by) return sizes
  const step = planValue(by, { sizes, scalars: {} })
  return step < 1 ? sizes : { ...sizes, [size.name]: Math.ceil(sizes[size.name]! / step) * step }
}

/** The size that a form grows with, the last one; undefined where all of these are fixed. */
function movable(program: Program, form: Affine): { readonly size: Size; readonly factor: number } | undefined {
  const found = [...form.terms].flatMap(([name, factor]) => {
    const size = program.sizes.find((s) => `$${s.name}` === name && !isFixed(s))
    return size && factor > 0 ? [{ size, factor }] : []
  })
  return found.at(-1)
}

const valueOf = (form: Affine, sizes: Sizes): number =>
  [...form.terms].reduce((sum, [name, c]) => sum + c * sizes[name.slice(1)]!, form.constant) // every size has a value
