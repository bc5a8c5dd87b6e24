// Decision functions with a thread for every few samples, as the sources compare them: support vectors from memory
// (`global`), from constant memory, which serves one element to all threads at once (`constant`), or so with the
// samples turned, so that neighbouring threads read neighbouring numbers (`reordered`). In: samples, vectors,
// coefficients. Out: decisions.
import type { Hook } from '../fusion/adapted-text.ts'
import type { Core } from '../device/core.ts'
import { refuse } from '../error.ts'
import { parse } from '../fusion/expression.ts'
import { helpersIn, helperText, wgslOf } from '../fusion/spelling.ts'
import { recipe } from '../made/map.made.js'
import { blank, type Tensor } from '../tensor.ts'
import { transpose } from '../transpose/transpose.ts'

export type Placement = 'global' | 'constant' | 'reordered'

export interface Decisions {
  readonly core: Core
  /** [n, features] */
  readonly x: Tensor<'f32'>
  /** [vectors, features] */
  readonly vectors: Tensor<'f32'>
  /** [vectors, decisions] */
  readonly coefficients: Tensor<'f32'>
  readonly offsets: Tensor<'f32'>
  /**
   * The kernel's value: an expression in `x`, of the product of a sample and a vector, or of their squared distance.
   */
  readonly value: string
  readonly distance: boolean
  readonly numbers: Readonly<Record<string, number>>
}

/** Decisions [n, decisions]. Throws where the vectors are more than constant memory holds. */
export function placed(d: Decisions, placement: Placement): Tensor<'f32'> {
  const { core, x, vectors, coefficients } = d,
    [n = 0, features = 0] = x.shape,
    [count = 0, decisions = 0] = coefficients.shape
  const most = Math.min(core.device.limits.maxUniformBufferBindingSize, 65536)
  if (placement !== 'global' && vectors.bytes > most)
    refuse(
      'svm.placement',
      `the support vectors take ${vectors.bytes} bytes, and constant memory holds ${most}`,
      "placement 'global' or 'product'",
    )
  const turned = placement === 'reordered' ? transpose(core, x) : x,
    out = blank(core, [decisions, n], 'f32'),
    size = out.length
  if (size > 0) {
    core.record({
      module: 'map',
      recipe,
      plan: `f32${core.pick('svm', [size], ['-short', ''])}`,
      sizes: { n: size },
      arrays: { x: core.unused, y: out.memory },
      hooks: [hookOf(d, turned, placement, n)],
      hookKey: `svm ${placement} ${d.value} ${d.distance} ${n % 4 === 0} ${vectors.length}`,
      cost: { bytes: x.bytes + vectors.bytes + out.bytes, flop: 2 * n * count * features + 2 * size * count },
    })
  }
  if (turned !== x) turned.dispose()
  const result = transpose(core, out)
  out.dispose()
  return result
}

/** Element (decision, sample) of the result; a thread has `width` samples side by side where they divide by it. */
function hookOf(
  {
    vectors,
    coefficients,
    offsets,
    value,
    distance,
    numbers,
    x: {
      shape: [n = 0, features = 0],
    },
  }: Decisions,
  x: Tensor,
  placement: Placement,
  samples: number,
): Hook {
  const together = (width: number): boolean => samples % width === 0
  const list = Object.entries(numbers)
  const fields = { n, features, count: coefficients.shape[0] ?? 0, decisions: coefficients.shape[1] ?? 0 }
  const columns = placement === 'reordered',
    quick = (width: number): boolean => columns && together(width) && width > 1
  const sample = (width: number): string => {
    if (quick(width)) return `samples[(f * params.svm_n + sample) / ${width}u]`
    const lanes = Array.from(
      { length: width },
      (_, l) =>
        `samples[${columns ? `f * params.svm_n + sample + ${l}u` : `(sample + ${l}u) * params.svm_features + f`}]`,
    )
    return width === 1 ? lanes[0]! : `vec${width}<f32>(${lanes.join(', ')})` // one lane
  }
  const vector =
    placement === 'global'
      ? 'vectors[v * params.svm_features + f]'
      : 'vectors[(v * params.svm_features + f) >> 2u][(v * params.svm_features + f) & 3u]'
  const decided = (width: number): string => {
    const type = width === 1 ? 'f32' : `vec${width}<f32>`,
      tree = parse(value, ['x', ...list.map(([name]) => name)])
    const nameOf = (name: string): string => (name === 'x' ? 'own' : `${type}(params.svm_${name})`)
    const text = wgslOf(tree, { kind: 'f32', width, of: 'x', nameOf })
    return [
      helperText(helpersIn(tree, 'f32'), 'f32', [width], 'x'),
      `fn svm_decide${width}(e: u32) -> ${type} {`,
      '  let decision = e / params.svm_n;',
      '  let sample = e % params.svm_n;',
      `  var sum = ${type}(svm_offsets[decision]);`,
      '  for (var v = 0u; v < params.svm_count; v++) {',
      `    var own = ${type}();`,
      '    for (var f = 0u; f < params.svm_features; f++) {',
      ...(distance
        ? [`      let apart = ${sample(width)} - ${vector};`, '      own += apart * apart;']
        : [`      own += ${sample(width)} * ${vector};`]),
      '    }',
      `    sum += svm_coefficients[v * params.svm_decisions + decision] * (${text});`,
      '  }',
      '  return sum;',
      '}',
      '',
    ].join('\n')
  }
  return {
    array: 'x',
    bindings: [
      { name: 'samples', buffer: x.memory, typeOf: (width) => (quick(width) ? `vec${width}<f32>` : 'f32') },
      {
        name: 'vectors',
        buffer: vectors.memory,
        typeOf: () => 'f32',
        ...(placement !== 'global' && { constant: Math.ceil(vectors.length / 4) }),
      },
      { name: 'svm_coefficients', buffer: coefficients.memory, typeOf: () => 'f32' },
      { name: 'svm_offsets', buffer: offsets.memory, typeOf: () => 'f32' },
    ],
    fields: [
      ...Object.entries(fields).map(([name, v]) => ({ name: `svm_${name}`, type: 'u32' as const, value: v })),
      ...list.map(([name, v]) => ({ name: `svm_${name}`, type: 'f32' as const, value: v })),
    ],
    functions: decided(together(4) ? 4 : 1), // a multiple of 4 is computed in fours
    body: (width) => {
      if (together(width)) return `  return svm_decide${width}(i * ${width}u);`
      return (
        `  return ` +
        `vec${width}<f32>(${Array.from({ length: width }, (_, l) => `svm_decide1(i * ${width}u + ${l}u)`).join(', ')});`
      )
    },
  }
}
