// A gate that did not hold (exit 1): the input was fine and everything was done, but the answer is no.

/** Thrown by a command whose check failed; the message is printed on stderr. */
export class Gate extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Gate'
  }
}
