// In: a kernel. Out: whether it asks how its quotients and roots were rounded. The one idea: an error of an ulp or two is one of
// rounding wherever numbers only go on to be computed with; a comparison, a floor or a conversion to an integer can turn it
// into another answer (⌊6 / 3⌋). What goes through memory to other kernels is not followed.
import { allStatements, definesOf, isFloat, usesOf, type Kernel, type OpName, type Operand, type Stmt } from '../ir/index.ts'

/** What may be an ulp or two from the nearest number. */
const inexact: ReadonlySet<OpName> = new Set(['div', 'sqrt', 'rsqrt', 'rcp', 'pow'])
/** What answers for single numbers. */
const deciding: ReadonlySet<OpName> = new Set(['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'floor', 'ceil', 'trunc', 'round', 'rem', 'sign', 'bitcast'])

/** Whether a comparison, a rounding or a conversion to an integer depends on a division, root or power of single precision. */
export function asksRounding(kernel: Kernel): boolean {
  const all = allStatements(kernel.body), values = new Set<number>(), memory = new Set<string>()
  const known = (o: Operand): boolean => o.kind === 'reg' && values.has(o.id)
  for (let size = -1; size !== values.size + memory.size;) {
    size = values.size + memory.size
    for (const s of all) {
      const starts = s.kind === 'op' && s.dst.type === 'f32' && inexact.has(s.op)
      if (starts || usesOf(s).some(known) || (s.kind === 'load' && memory.has(s.address.resource))) follow(s, values, memory)
    }
  }
  return all.some((s) => s.kind === 'op' && s.args.some(known) && (deciding.has(s.op) || (s.op === 'convert' && !isFloat(s.dst.type as 'f32')))) // the types of floats are among those of memory
}

function follow(s: Stmt, values: Set<number>, memory: Set<string>): void {
  for (const r of definesOf(s)) values.add(r.id)
  if (s.kind === 'store' || s.kind === 'atomic') memory.add(s.address.resource)
}
