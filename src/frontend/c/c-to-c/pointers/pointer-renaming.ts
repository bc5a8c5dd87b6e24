// In: a C function. Out: the same where a pointer that the function uses again for another array (`p = a; … for (…) { p
// = b; … }`) is another pointer in each list of statements that sets it before it reads it, and behind which nothing
// reads what it is then. The one idea: a variable is as many variables as it has live ranges that do not meet (webs:
// Muchnick, "Advanced Compiler Design and Implementation", 16.3.3). Pointers into one array are left as they are.
import { cFunction, type InUnit } from '../../text/representation.ts'
import { keeping, pass } from '../../../../ir/index.ts'
import { FreshNames, inRegion, mapParts, nameOf, replacedIn, someC } from '../c-rewriting.ts'
import { everywhere } from '../name-uses.ts'
import { arraysOf, mentions, settingOf } from './pointer-arrays.ts'
import type { CExpr, CFunction, CStmt, Declarator } from '../../text/syntax.ts'

// Before:
//
//   void f(int n, float *a, float *b) {
//     float *p;
//     p = a;
//     for (int i = 0; i < n; i++) *p++ = 0;
//     for (int i = 0; i < n; i++) {
//       p = b + i;
//       *p = 1;
//     }
//   }
//
// After:
//
//   void f(int n, float *a, float *b) {
//     float *p;
//     p = a;
//     for (int i = 0; i < n; i++) {
//       *(p++) = 0;
//     }
//     for (int i = 0; i < n; i++) {
//       float *p_2;
//       p_2 = b + i;
//       *p_2 = 1;
//     }
//   }
export const pointerRenaming = pass<CFunction, InUnit>({
  name: 'pointer-renaming',
  summary: 'a pointer that is used again for another array is another pointer there',
  of: cFunction,
  run: keeping((f, { unit }) => withRangesApart(f, unit.functions)),
})

/** What a statement does with a pointer first: on all ways sets it, on some way reads it, or neither. */
type Exposure = 'sets' | 'reads' | 'passes'

/** `f` with its pointers into several arrays split by live ranges. */
export function withRangesApart(f: CFunction, unit: Iterable<CFunction>): CFunction {
  const { chosen } = arraysOf(f)
  if (chosen.size === 0) return f
  const names = new FreshNames([f, ...unit])
  let { body } = f
  for (const d of chosen.values()) {
    const split = new Splitting(d, names)
    body = { ...body, body: inRegion(body.body, (list) => split.inside(list, false)) }
  }
  return { ...f, body }
}

class Splitting {
  private readonly d: Declarator
  private readonly names: FreshNames

  constructor(d: Declarator, names: FreshNames) {
    this.d = d
    this.names = names
  }

  /** The lists inside of a list done; `isLive`: what the pointer is at its end is read later. */
  inside(list: readonly CStmt[], isLive: boolean): readonly CStmt[] {
    return list.map((s, i) => {
      if (mentions(s, this.d.name) === 0) return s
      const rest = this.first(list.slice(i + 1))
      const isRead = rest === 'reads' || (rest === 'passes' && isLive)
      return s.kind === 'block' ? this.list(s, isRead) : this.statement(s, isRead)
    })
  }

  private statement(s: CStmt, isLive: boolean): CStmt {
    if (s.kind === 'block') return { ...s, body: this.inside(s.body, isLive) }
    const isLoop = s.kind === 'for' || s.kind === 'while' || s.kind === 'do',
      again = isLoop && (this.first([s.body]) !== 'sets' || this.asks(s.condition))
    const isStepped = s.kind === 'for' && this.isInHeader(s)
    return mapParts(
      s,
      (e) => e,
      (x) => (s.kind === 'for' && x === s.init ? x : this.list(x, isLive || again || isStepped)),
    )
  }

  /** A body or a branch, in which the pointer is another where it is set first and not read behind it. */
  private list(s: CStmt, isLive: boolean): CStmt {
    const { name } = this.d
    if (mentions(s, name) === 0) return s
    if (isLive || s.kind !== 'block' || s.label !== undefined || this.first(s.body) !== 'sets')
      return this.statement(s, isLive)
    // lists inside may be other live ranges again
    const body = this.inside(s.body, false),
      { initial: _, ...open } = this.d,
      fresh = this.names.fresh(name)
    const declared: CStmt = { kind: 'declare', declarators: [{ ...open, name: fresh }], at: s.at }
    return { ...s, body: [declared, ...body.map((x) => replacedIn(x, name, nameOf(fresh, s.at)))] }
  }

  private asks(e: CExpr | null): boolean {
    return e !== null && everywhere(e).some((x) => x.kind === 'name' && x.name === this.d.name)
  }

  private isInHeader(s: Extract<CStmt, { kind: 'for' }>): boolean {
    return this.asks(s.update) || (s.init !== null && mentions(s.init, this.d.name) > 0)
  }

  /** What a list does with the pointer first. Behind a statement that may leave it, nothing is sure to be set. */
  private first(list: readonly CStmt[]): Exposure {
    let isSure = true
    for (const s of list) {
      const here = this.exposure(s)
      if (here === 'reads' || (here === 'sets' && isSure)) return here
      isSure &&= !someC(s, isJump)
    }
    return 'passes'
  }

  private exposure(s: CStmt): Exposure {
    if (mentions(s, this.d.name) === 0) return 'passes'
    const setting = settingOf(s)
    if (setting) return setting.name === this.d.name && !this.asks(setting.to) ? 'sets' : 'reads'
    if (s.kind === 'block') return this.first(s.body)
    if (s.kind === 'if') {
      const [then, other] = [this.first([s.then]), s.else ? this.first([s.else]) : 'passes']
      if (this.asks(s.condition) || then === 'reads' || other === 'reads') return 'reads'
      return then === other ? then : 'passes'
    }
    if (s.kind !== 'for' && s.kind !== 'while' && s.kind !== 'do') return 'reads'
    if (this.asks(s.condition) || (s.kind === 'for' && this.isInHeader(s)) || this.first([s.body]) === 'reads')
      return 'reads'
    return s.kind === 'do' ? this.first([s.body]) : 'passes'
  }
}

const isJump = (s: CStmt): boolean =>
  s.kind === 'break' || s.kind === 'continue' || s.kind === 'leave' || s.kind === 'return' || s.kind === 'unknown'
