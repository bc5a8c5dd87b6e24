// Assigning several components: `v.zx = …`. In: an expression that is assigned. Out: the references that its components
// go to, or null when it is no such swizzle. The one idea: components side by side are one vector in memory, others are
// stored one by one; components that are not named are not touched.
import { fail, type Span } from '../../../base/index.ts'
import { constOf } from '../../../ir/index.ts'
import { elementRef, part } from '../access.ts'
import { ofSize, scalar, type VectorType } from '../types/types.ts'
import type { Builder, Ref } from '../values.ts'

const sets = ['xyzw', 'rgba'] as const

/** Whether a member's name could be several components of a vector. */
export const isSwizzle = (name: string): boolean => /^[xyzw]{2,4}$|^[rgba]{2,4}$/.test(name)

/** Where the components of `base.name` are. Throws `wgsl.type` for components that the vector lacks or that repeat. */
export function swizzleTargets(
  k: Builder,
  base: Ref & { readonly type: VectorType },
  name: string,
  at: Span | undefined,
): readonly Ref[] {
  const set = sets.find((s) => s.includes(name[0]!))!
  const indices = [...name].map((c) => set.indexOf(c))
  if (indices.some((i) => i >= base.type.size))
    fail('wgsl.type', `vec${base.type.size}<${base.type.element}> has no component '${name}'`, at)
  if (new Set(indices).size < indices.length) fail('wgsl.type', `'${name}' assigns a component twice`, at)
  const [first = 0] = indices
  const together = indices.every((i, n) => i === first + n) && (first === 0 || (first === 2 && indices.length === 2))
  const bytes = base.type.element === 'f16' ? 2 : 4
  if (together) return [part(base, ofSize(indices.length, base.type.element), first * bytes, first)]
  // a fixed component needs no memory
  return indices.map((i) => ({ ...elementRef(k, base, constOf('u32', i), () => {}), type: scalar(base.type.element) }))
}
