// What the library says when it is used wrongly or the device fails: a sentence, a code to test for, a hint.

export class TeselaError extends Error {
  /** For programs, for instance `tensor.shape`. */
  readonly code: string
  /** What to do. */
  readonly hint: string | undefined

  constructor(code: string, message: string, hint?: string) {
    super(hint ? `${message} [${code}]\n  hint: ${hint}` : `${message} [${code}]`)
    this.name = 'TeselaError'
    this.code = code
    this.hint = hint
  }
}

export function refuse(code: string, message: string, hint?: string): never {
  throw new TeselaError(code, message, hint)
}
