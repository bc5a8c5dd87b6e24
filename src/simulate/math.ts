// Functions of the host that compiled code calls where WebAssembly has none. The one idea: they are those of
// `evaluate`.
import { roundF16, specials } from '../ir/index.ts'
import { hostMath, type HostMath } from './jit/scalar.ts'

/** Float64 functions that compiled code calls, by the same definitions that `evaluate` uses. */
export const mathFunctions = Object.fromEntries(hostMath.map((name) => [name, mathFunction(name)])) as Record<
  HostMath,
  (a: number, b: number) => number
> // one per name

function mathFunction(name: HostMath): (a: number, b: number) => number {
  if (name === 'round16') return (a) => roundF16(a)
  if (name === 'rem') return (a, b) => a % b
  return specials[name]
}
