// The powers of two by which factors are multiplied before they are split into pieces of f16: for each factor three
// floats on the device, what brings its greatest finite absolute value to [2^13, 2^14) and what brings a product back.
// In: tensors. Out: such triples, two launches for one or two of them.
import type { Core } from '../device/core.ts'
import { recipe } from '../made/matrices.made.js'
import { partsOf } from '../reduce/parts.ts'
import { blank, type Tensor } from '../tensor.ts'

/** Most blocks that look for the greatest of a factor. */
const mostParts = 1024
/** Elements that are worth a block. */
const ownElements = 4096

/** Into how many parts a factor is cut, and the elements of each. */
function cut(x: Tensor): { readonly parts: number; readonly each: number } {
  const parts = partsOf(x.length, Math.min(mostParts, Math.max(4, x.length / ownElements)))
  return { parts, each: x.length / parts }
}

const blankPower = (core: Core): Tensor<'f32'> => blank(core, [3], 'f32')

/** Of one tensor. */
export function power(x: Tensor): Tensor {
  const { core } = x,
    { parts, each } = cut(x),
    top = blank(core, [parts], 'f32'),
    out = blankPower(core)
  core.record({
    module: 'matrices',
    recipe,
    plan: 'top',
    sizes: { parts, n: each },
    arrays: { a: x.memory, left: top.memory },
    cost: { bytes: x.bytes, flop: 0 },
  })
  core.record({
    module: 'matrices',
    recipe,
    plan: 'power',
    sizes: { parts },
    arrays: { left: top.memory, a: out.memory },
    cost: { bytes: top.bytes, flop: 0 },
  })
  top.dispose()
  return out
}

/** Of two tensors. */
export function powers(a: Tensor, b: Tensor): readonly [Tensor, Tensor] {
  const { core } = a,
    [x, y] = [cut(a), cut(b)],
    [left, right] = [blank(core, [x.parts], 'f32'), blank(core, [y.parts], 'f32')],
    [p, q] = [blankPower(core), blankPower(core)]
  core.record({
    module: 'matrices',
    recipe,
    plan: 'tops',
    sizes: { parts: x.parts, n: x.each, others: y.parts, m: y.each },
    arrays: { a: a.memory, b: b.memory, left: left.memory, right: right.memory },
    cost: { bytes: a.bytes + b.bytes, flop: 0 },
  })
  core.record({
    module: 'matrices',
    recipe,
    plan: 'powers',
    sizes: { parts: x.parts, others: y.parts },
    arrays: { left: left.memory, right: right.memory, a: p.memory, b: q.memory },
    cost: { bytes: left.bytes + right.bytes, flop: 0 },
  })
  for (const t of [left, right]) t.dispose()
  return [p, q]
}
