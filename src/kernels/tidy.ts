// Tensors that are given back together. In: a function. Out: its result, without the tensors that were made on the way
// to it. The one idea: the core hears of every tensor that is made, and while `tidy` runs it remembers them.
import { described } from './checks.ts'
import { Core, type Settling } from './device/core.ts'
import { refuse } from './error.ts'
import { Tensor } from './tensor.ts'

/**
 * Runs `f`, and disposes of all tensors that it made but those in its result: a tensor, or tensors in lists and
 * objects. Also where it throws. What it returns must be there already: a promise is refused.
 */
export function tidy<T>(core: Core, f: () => T): T {
  if (typeof f !== 'function') refuse('tidy.function', `tidy takes a function, not ${described(f)}`)
  const outer = core.made,
    made = new Set<Settling>()
  core.made = made
  let kept: ReadonlySet<Tensor> = new Set()
  try {
    const result = f()
    if (result instanceof Promise)
      refuse('tidy.async', 'tidy ends when its function returns, and this one returns a promise', 'await outside of it')
    kept = tensorsIn(result)
    return result
  } finally {
    core.made = outer
    for (const t of made) {
      if (!(t instanceof Tensor) || kept.has(t)) outer?.add(t)
      else t.dispose()
    }
  }
}

/** Results hold their tensors at most so deep. */
const deepest = 4

/** The tensors of a result. */
function tensorsIn(result: unknown, depth = 0, found = new Set<Tensor>()): ReadonlySet<Tensor> {
  if (result instanceof Tensor) found.add(result)
  else if (typeof result === 'object' && result !== null && !(result instanceof Core) && !ArrayBuffer.isView(result))
    for (const inner of depth < deepest ? Object.values(result) : []) tensorsIn(inner, depth + 1, found)
  return found
}
