// Jumps that KernelIR cannot take in one step. In: loops being built and jumps to any of them. Out: `break`, `continue`
// and flags. The one idea: a jump out of several loops sets a flag and breaks the innermost; after each loop that was
// left this way the flag is tested and the jump goes on.
import { constOf, type Reg, type Stmt } from '../../../ir/index.ts'
import type { Builder } from '../values.ts'

/** One KernelIR loop under construction. */
export interface Frame {
  readonly flags: Map<JumpTarget, Reg>
}
/** Where a jump goes: out of a frame's loop, or to its continuing part. */
export interface JumpTarget {
  readonly frame: Frame
  readonly how: 'break' | 'continue'
}

export class StructuredFlow {
  private readonly k: Builder
  private readonly frames: Frame[] = []
  constructor(k: Builder) {
    this.k = k
  }

  get depth(): number {
    return this.frames.length
  }

  jump(target: JumpTarget): void {
    const innermost = this.frames[this.frames.length - 1]!
    if (innermost === target.frame) return target.how === 'break' ? this.k.break() : this.k.continue()
    let flag = innermost.flags.get(target)
    if (!flag) {
      flag = this.k.reg('bool', target.how === 'break' ? 'leave' : 'again')
      this.k.mutable.add(flag)
      innermost.flags.set(target, flag)
    }
    this.k.set(flag, constOf('bool', 1))
    this.k.break()
  }

  /** Builds a loop; `body` and `continuing` get its frame. Afterwards unfinished jumps go on. */
  loop(body: (frame: Frame) => void, continuing: (frame: Frame) => void = () => {}): void {
    const frame: Frame = { flags: new Map() }
    const { at } = this.k
    this.frames.push(frame)
    const loop: Stmt = {
      kind: 'loop',
      body: this.k.collect(() => body(frame)),
      continuing: this.k.collect(() => continuing(frame)),
      ...(at && { at }),
    }
    this.frames.pop()
    this.k.at = at
    for (const flag of frame.flags.values()) this.k.set(flag, constOf('bool', 0))
    this.k.push(loop)
    for (const [target, flag] of frame.flags) this.k.ifThen(flag, () => this.jump(target))
  }
}
