// Steps on matrices in WGSL (extension `chromium_experimental_subgroup_matrix`: dawn,
// docs/dawn/features/subgroup_matrix.md; layouts are template arguments, as Tint has them since 2026). In: a step. Out:
// its text. Places and distances count elements of the array's declaration.
import { fail, InternalError } from '../../base/index.ts'
import { bytesOf, type Matrix } from '../../ir/index.ts'
import { unitIndex } from '../index-math.ts'
import type { Printer } from '../printer.ts'
import type { Line } from '../tree.ts'
import type { BufferLayout } from './buffers.ts'

/** Factors are f16, results f32. */
export const matrixType = ({ role }: Matrix): string =>
  `subgroup_matrix_${role}<${role === 'result' ? 'f32' : 'f16'}, 16, 16>`

/**
 * The statement of a step. Throws a `DiagnosticError` where the lines of a matrix do not start with elements of the
 * array.
 */
export function matrixText(
  p: Printer,
  { step, place }: Extract<Line, { kind: 'matrix' }>,
  name: (m: Matrix) => string,
  shapeOf: (resource: string) => BufferLayout,
): string {
  const memory = (stride: number): readonly [array: string, first: string, stride: string] => {
    if (!place) throw new InternalError('emit/wgsl', 'a matrix without a place in memory')
    const s = shapeOf(place.resource),
      unit = bytesOf[s.resource.type] * s.width
    if (stride % unit !== 0)
      fail(
        'wgsl.matrix',
        `lines of a matrix in '${s.name}' are ${stride} bytes apart, which are no whole elements of ${unit}`,
      )
    return [`&${s.name}`, p.value(unitIndex(place, unit)).text, `${stride / unit}u`]
  }
  switch (step.op) {
    case 'clear':
      return `${name(step.sum)} = ${matrixType(step.sum)}();`
    case 'multiply':
      return (
        `${name(step.sum)} = subgroupMatrixMultiplyAccumulate(${name(step.left)}, ${name(step.right)}, ` +
        `${name(step.sum)});`
      )
    case 'load':
      return (
        `let ${name(step.dst)} = subgroupMatrixLoad<${matrixType(step.dst)}, ` +
        `${step.lines === 'rows' ? 'row_major' : 'col_major'}>(${memory(step.stride).join(', ')});`
      )
    case 'store': {
      const [array, first, stride] = memory(step.stride)
      return `subgroupMatrixStore<row_major>(${array}, ${first}, ${name(step.src)}, ${stride});`
    }
  }
}
