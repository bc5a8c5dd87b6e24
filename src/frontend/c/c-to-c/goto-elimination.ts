// In: a C function with `goto`. Out: the same without: a jump forward leaves a block that ends at its label, a jump
// back begins a loop anew that stands at its label. The one idea: in the list of statements that has the label,
// everything from the first jump to the label (or from the label to the last jump back to it) is put into a block of
// its own; `structuring.ts` does the rest. What jumps into a block from outside, or back past declarations of arrays,
// is left as it is, with a sentence for who needs it.
import type { CUnit } from '../text/syntax.ts'
import { cUnit, withFunctions } from '../text/representation.ts'
import { pass } from '../../../ir/index.ts'
import type { Span } from '../../../base/index.ts'
import {
  assignOf,
  blockOf,
  eachC,
  expressionsOf,
  mapParts,
  nameOf,
  FreshNames,
  notOf,
  numberOf,
  innerStmts,
} from './c-rewriting.ts'
import type { CExpr, CFunction, CStmt, Declarator } from '../text/syntax.ts'

// Before:
//
//   void f(int n, float *y) {
//     for (int i = 0; i < n; i++) {
//       if (y[i] < 0) goto next;
//       y[i] = 1;
//     next:;
//     }
//   }
//
// After:
//
//   void f(int n, float *y) {
//     for (int i = 0; i < n; i++) {
//       {
//         if (y[i] < 0) {
//           goto next;
//         }
//         y[i] = 1;
//       }
//       next:;
//       next:;
//       ;
//     }
//   }
export const gotoElimination = pass<CUnit>({
  name: 'goto-elimination',
  summary: 'jumps to labels become blocks that are left and loops that begin anew',
  of: cUnit,
  run: (unit) => withFunctions(unit, withoutGotos),
})

type Goto = Extract<CStmt, { kind: 'unknown' }> & { readonly goto: string }

const isGoto = (s: CStmt): s is Goto => s.kind === 'unknown' && s.goto !== undefined

/** `f` with every `goto` that can be said by blocks and loops replaced. */
export function withoutGotos(f: CFunction): CFunction {
  if (targetsIn([f.body]).size === 0) return f
  const jumps = new Jumps(f)
  return { ...f, body: { ...f.body, body: refused(jumps.list(f.body.body)) } }
}

class Jumps {
  private readonly names: FreshNames

  constructor(f: CFunction) {
    this.names = new FreshNames([f])
  }

  /** A list of statements in which no `goto` asks for a label of the list. */
  list(body: readonly CStmt[]): readonly CStmt[] {
    const flat = body
      .flatMap((s): readonly CStmt[] =>
        s.kind === 'block' && s.mark !== undefined ? [{ kind: 'empty', at: s.at, mark: s.mark }, ...s.body] : [s],
      )
      .map((s) => this.inside(s))
    let made: readonly CStmt[] = flat
    for (const s of flat)
      if (s.kind === 'empty' && s.mark !== undefined && placeOf(made, s.mark) >= 0)
        made = this.backward(this.forward(made, s.mark), s.mark)
    return made
  }

  /** A statement with the lists in it done. */
  private inside(s: CStmt): CStmt {
    if (s.kind === 'block') return { ...s, body: this.list(s.body) }
    if (s.kind === 'switch') return { ...s, cases: s.cases.map((c) => ({ ...c, body: this.list(c.body) })) }
    return mapParts(
      s,
      (e) => e,
      (x) => {
        const made = this.list([x]),
          [only, more] = made
        return only && !more ? only : blockOf(made, x.at)
      },
    )
  }

  /** Jumps from before the label: the part from the first of them to the label is a block that they leave. */
  private forward(body: readonly CStmt[], mark: string): readonly CStmt[] {
    const end = placeOf(body, mark),
      start = body.findIndex((s, i) => i < end && targetsIn([s]).has(mark))
    if (start < 0) return body
    const outer = declaredOutside(body.slice(start, end), body.slice(end))
    if (!outer) return body
    const label = this.names.fresh(mark),
      { at } = body[start]! // found above
    return [
      ...body.slice(0, start),
      ...outer.declares,
      { kind: 'block', label, body: outer.body.map((s) => leaving(s, mark, label)), at },
      ...body.slice(end),
    ]
  }

  /** Jumps from behind the label: the part from the label to the last of them runs again. */
  private backward(body: readonly CStmt[], mark: string): readonly CStmt[] {
    const from = placeOf(body, mark) + 1,
      last = body.findLastIndex((s, i) => i >= from && targetsIn([s]).has(mark))
    if (last < from) return body
    const outer = declaredOutside(body.slice(from, last + 1), body.slice(last + 1))
    if (!outer || leavesLoop(outer.body)) return body
    const { at } = body[last]!,
      end = outer.body[outer.body.length - 1]!,
      others = outer.body.slice(0, -1) // there is the jump
    const loop = this.again(others, end, mark, at, body[last + 1]) ?? this.anyLoop(outer.body, mark, at)
    return [...body.slice(0, from), ...outer.declares, ...loop, ...body.slice(last + 1)]
  }

  /** A loop whose only jump back stands at its end, with a condition or without; `next` stands behind it. */
  private again(
    others: readonly CStmt[],
    end: CStmt,
    mark: string,
    at: Span,
    next: CStmt | undefined,
  ): readonly CStmt[] | undefined {
    if (targetsIn(others).has(mark)) return undefined
    const test = jumpIf(end)
    if (test) return [{ kind: 'do', condition: test.condition, body: blockOf(this.list(others), at), at }]
    if (!isGoto(end)) return undefined
    const [first, ...rest] = others,
      out = first && jumpIf(first),
      isNext = next?.kind === 'empty' && next.mark === out?.to
    return [
      {
        kind: 'while',
        condition: out && isNext ? notOf(out.condition) : numberOf(1, at),
        body: blockOf(this.list(out && isNext ? rest : others), at),
        at,
      },
    ]
  }

  private anyLoop(body: readonly CStmt[], mark: string, at: Span): readonly CStmt[] {
    const label = this.names.fresh(mark),
      again = nameOf(this.names.fresh(`again_${mark}`), at)
    const one: CStmt = {
      kind: 'block',
      label,
      body: this.list(body).map((s) => leaving(s, mark, label, () => assignOf(again, numberOf(1, at)))),
      at,
    }
    const declare: CStmt = {
      kind: 'declare',
      declarators: [
        { name: again.kind === 'name' ? again.name : '', type: 'i32', extents: [], at, initial: numberOf(1, at) },
      ],
      at,
    }
    return [
      declare,
      { kind: 'while', condition: again, body: blockOf([assignOf(again, numberOf(0, at)), one], at), at },
    ]
  }
}

/** `if (condition) goto to;` */
function jumpIf(s: CStmt): { readonly condition: CExpr; readonly to: string } | undefined {
  if (s.kind !== 'if' || s.else) return undefined
  const jump = s.then.kind === 'block' && s.then.body.length === 1 ? s.then.body[0] : s.then
  return jump && isGoto(jump) ? { condition: s.condition, to: jump.goto } : undefined
}

const placeOf = (body: readonly CStmt[], mark: string): number =>
  body.findIndex((s) => s.kind === 'empty' && s.mark === mark)

/** Labels that jumps in `body` ask for. */
function targetsIn(body: readonly CStmt[]): ReadonlySet<string> {
  const found = new Set<string>()
  for (const s of body)
    eachC(s, (x) => {
      if (isGoto(x)) found.add(x.goto)
    })
  return found
}

/** `s` with jumps to `mark` that leave the block `label`, `first` before each. */
function leaving(s: CStmt, mark: string, label: string, first?: () => CStmt): CStmt {
  if (!isGoto(s) || s.goto !== mark)
    return mapParts(
      s,
      (e) => e,
      (x) => leaving(x, mark, label, first),
    )
  const leave: CStmt = { kind: 'leave', label, at: s.at }
  return first ? blockOf([first(), leave], s.at) : leave
}

/**
 * Statements that go into a block, with declarations of what is used behind it in front of it; `undefined` where a name
 * would mean something else then.
 */
function declaredOutside(
  inner: readonly CStmt[],
  after: readonly CStmt[],
): { readonly declares: readonly CStmt[]; readonly body: readonly CStmt[] } | undefined {
  const used = namesIn(after),
    seen = new Set<string>()
  const declares: CStmt[] = [],
    body: CStmt[] = []
  for (const s of inner) {
    const needed = s.kind === 'declare' ? s.declarators.filter((d) => used.has(d.name)) : []
    if (s.kind !== 'declare' || needed.length === 0) body.push(s)
    else {
      if (needed.some((d) => seen.has(d.name) || !canSplit(d))) return undefined
      for (const d of s.declarators) {
        if (!needed.includes(d)) {
          body.push({ ...s, declarators: [d] })
          continue
        }
        const { initial, ...bare } = d
        declares.push({ kind: 'declare', declarators: [bare], at: s.at })
        if (initial) body.push(assignOf(nameOf(d.name, d.at), initial))
      }
    }
    for (const name of namesIn([s])) seen.add(name)
  }
  return { declares, body }
}

/** Whether a declaration can stand before its initial value. */
const canSplit = (d: Declarator): boolean =>
  !d.isStatic &&
  d.initial?.kind !== 'list' &&
  (d.extents.length === 0 || (!d.initial && !d.pointer && d.extents.every((e) => e?.kind === 'number')))

const namesIn = (body: readonly CStmt[]): ReadonlySet<string> =>
  new Set(body.flatMap((s) => expressionsOf(s).flatMap((e) => (e.kind === 'name' ? [e.name] : []))))

/** Whether a `break` or `continue` in `body` belongs to a loop or `switch` around it. */
function leavesLoop(body: readonly CStmt[]): boolean {
  const visit = (s: CStmt, inLoop: boolean, inSwitch: boolean): boolean => {
    if (s.kind === 'break') return !inLoop && !inSwitch
    if (s.kind === 'continue') return !inLoop
    const isLoop = s.kind === 'for' || s.kind === 'while' || s.kind === 'do'
    return innerStmts(s).some((x) => visit(x, inLoop || isLoop, inSwitch || s.kind === 'switch'))
  }
  return body.some((s) => visit(s, false, false))
}

/** Jumps that are left, with the reason. */
function refused(body: readonly CStmt[]): readonly CStmt[] {
  const labels = new Set<string>()
  for (const s of body)
    eachC(s, (x) => {
      if ((x.kind === 'empty' || x.kind === 'block') && x.mark !== undefined) labels.add(x.mark)
    })
  const visit = (s: CStmt): CStmt => {
    if (!isGoto(s)) return mapParts(s, (e) => e, visit)
    const { goto: target, ...rest } = s
    return {
      ...rest,
      what: labels.has(target) ? `this goto ${target}` : `goto ${target}, which is no label of this function,`,
      hint: labels.has(target)
        ? 'jumps out of loops and blocks and back to the start of a part are read; ' +
          'write this one with loops, if, break and continue'
        : 'write it with loops, if, break and continue',
    }
  }
  return body.map(visit)
}
