// In: a nest. Out: the sketch that fits its reuse best. The order is from the most reuse to the least; the first that
// accepts the nest gets it.
import { DiagnosticError } from '../../base/index.ts'
import type { Program } from '../../ir/index.ts'
import { nestProgram, rectangular } from '../nest.ts'
import type { Form, Nest, Other } from '../part.ts'
import { argument } from './argument.ts'
import { contraction } from './contraction.ts'
import { crossed } from './crossed.ts'
import { perIteration, perPoint, sequential } from './generic.ts'
import { oneBlock } from './one-block.ts'
import { pointwise } from './pointwise.ts'
import { reduction } from './reduction.ts'
import { rows } from './rows.ts'
import { scan } from './scan.ts'
import { scatter } from './scatter.ts'
import { timeTiles } from './time-tiles.ts'
import { eachExpr, sameExpr } from '../tree.ts'
import { transpose } from './transpose.ts'
import { waveTiles } from './wave-tiles.ts'
import type { Sketch } from './sketch.ts'

/** The sketch of one part. */
export function sketchOf(program: Program, part: Nest | Other): Sketch {
  const known = part.kind === 'other' && part.form ? sketchOfForm(program, part.form) : undefined
  if (known) return known
  if (part.kind === 'other') return part.parallel > 0 ? perIteration(program, part) : sequential(program, part)
  const nest = rectangular(part)
  if (!nest) return sequential(program, { kind: 'other', body: nestProgram(program, part).body, why: 'the bounds of a parallel loop are not affine', parallel: 0 })
  const sketch = contraction(program, nest) ?? transpose(program, nest) ?? pointwise(program, nest) ?? reduction(program, nest) ?? perPoint(program, nest)
  return readsElsewhere(nest) ? buildable(program, part, [sketch, perPoint(program, nest)]) : sketch
}

/** Whether it reads what it writes at other places: schedules may find no proof that these are apart. */
function readsElsewhere(nest: Nest): boolean {
  const { array, index } = nest.out
  const values = [nest.out.value, ...(nest.reduction ? [nest.reduction.value] : [])]
  let hit = false
  values.forEach((v) => eachExpr(v, (x) => { if (x.kind === 'read' && x.array === array.name && !x.index.every((e, d) => sameExpr(e, index[d]!))) hit = true }))
  return hit
}

/** The first sketch whose plainest schedule is not refused; one thread when all are. */
function buildable(program: Program, part: Nest, sketches: readonly Sketch[]): Sketch {
  const found = sketches.find((s) => {
    try { return s.build(s.ladder[0]!.point).kernels.length > 0 } catch (e) {
      if (e instanceof DiagnosticError) return false
      throw e
    }
  })
  return found ?? sequential(program, { kind: 'other', body: nestProgram(program, part).body, why: 'its loops cannot be proved to be independent once they are split', parallel: 0 })
}

function sketchOfForm(program: Program, form: Form): Sketch | undefined {
  switch (form.kind) {
    case 'scan': return scan(program, form)
    case 'argument': return argument(program, form)
    case 'scatter': return scatter(program, form)
    case 'time-tiles': return timeTiles(program, form)
    case 'wave-tiles': return waveTiles(program, form)
    case 'one-block': return oneBlock(program, form)
    case 'rows': return rows(program, form)
    case 'crossed': return crossed(program, form)
  }
}
