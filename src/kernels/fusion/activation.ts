// Activations by name, and how one follows a sum in an expression.
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

/** The activation of the expression `sum`. */
export function activated(activation: Activation, sum: string): string {
  const after: string = Object.hasOwn(activations, activation)
    ? activations[activation as keyof typeof activations]
    : activation // has it
  return sum === 'x' ? after : after.replace(/\bx\b/g, `(${sum})`)
}
