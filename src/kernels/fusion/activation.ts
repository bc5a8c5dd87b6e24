// Activations by name, and how one follows a sum in an expression.
import { nearest } from '../../base/index.ts'
import { described } from '../checks.ts'
import { refuse } from '../error.ts'

/** Expressions in `x`. */
export const activations = {
  none: 'x',
  relu: 'max(x, 0)',
  sigmoid: 'sigmoid(x)',
  tanh: 'tanh(x)',
  silu: 'x * sigmoid(x)',
  /** Hendrycks and Gimpel's approximation by tanh. */
  gelu: '0.5 * x * (1 + tanh(0.7978845608 * (x + 0.044715 * x * x * x)))',
  leakyRelu: 'x > 0 ? x : 0.01 * x',
} as const

/** By name, or an expression in `x` as `map` takes it. */
export type Activation = keyof typeof activations | (string & {})

/** The activation of the expression `sum`; `names` are those of its operands. */
export function activated(activation: Activation, sum: string, names: readonly string[] = []): string {
  checkActivation(activation, names)
  const after: string = Object.hasOwn(activations, activation)
    ? activations[activation as keyof typeof activations]
    : activation // has it
  return sum === 'x' ? after : after.replace(/\bx\b/g, `(${sum})`)
}

/** Throws where an activation is no text, and where it is a single word that means nothing. */
function checkActivation(activation: unknown, names: readonly string[]): void {
  if (typeof activation !== 'string')
    refuse('activation', `an activation is a name or an expression, not ${described(activation)}`)
  const known = [...Object.keys(activations), 'x', ...names]
  if (!/^[A-Za-z_]\w*$/.test(activation) || known.includes(activation)) return
  const meant = nearest(activation.toLowerCase(), known)
  refuse(
    'activation',
    `there is no activation '${activation}'`,
    meant === undefined ? `there are ${Object.keys(activations).join(', ')}` : `did you mean '${meant}'?`,
  )
}
