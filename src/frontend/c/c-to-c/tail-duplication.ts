// In: a C function. Out: the same where a pointer that is one array or another (`p = odd ? a : b`, or assigned in both
// branches of an `if`) is one pointer for each array. The one idea: tail duplication (Muchnick, "Advanced Compiler
// Design and Implementation", 18.8): what follows the choice in its block stands once in each branch, where the pointer
// has one array; a pointer that is set anew in the list where its life ends is another pointer from there on. Choices
// inside of loops after which the pointer is used, and more copies than a few, are left as they are.
import { cFunction, type InUnit } from '../text/representation.ts'
import { keeping, pass } from '../../../ir/index.ts'
import {
  assignOf,
  blockOf,
  declares,
  expressionsOf,
  FreshNames,
  hasEffect,
  inRegion,
  mapC,
  mapParts,
  nameOf,
  replacedIn,
} from './c-rewriting.ts'
import { everywhere, keyOfC, rootName } from './name-uses.ts'
import {
  arraysOf,
  choiceOf,
  mentions,
  setsFirst,
  settingOf,
  statementsOf,
  type Arrays,
  type Choice,
} from './pointers/pointer-arrays.ts'
import type { CExpr, CFunction, CStmt, Declarator } from '../text/syntax.ts'

// Before:
//
//   void f(int n, int odd, const float *a, const float *b, float *y) {
//     const float *p = odd ? a : b;
//     for (int i = 0; i < n; i++) y[i] = 2 * p[i];
//   }
//
// After:
//
//   void f(int n, int odd, float *a, float *b, float *y) {
//     if (odd) {
//       float *p = a;
//       for (int i = 0; i < n; i++) {
//         y[i] = 2 * p[i];
//       }
//     } else {
//       float *p = b;
//       for (int i = 0; i < n; i++) {
//         y[i] = 2 * p[i];
//       }
//     }
//   }
export const tailDuplication = pass<CFunction, InUnit>({
  name: 'tail-duplication',
  summary: 'what follows the choice of an array by a pointer stands once for each of the arrays',
  of: cFunction,
  run: keeping((f, { unit }) => withOneArrayEach(f, unit.functions)),
})

/** Lists that may be written twice in one function: of pointers that are chosen one after the other four. */
const mostCopies = 16

type If = Extract<CStmt, { kind: 'if' }>

/** `f` with its pointers to one of several arrays replaced. */
export function withOneArrayEach(f: CFunction, unit: Iterable<CFunction>): CFunction {
  const arrays = arraysOf(f)
  if (arrays.chosen.size === 0) return f
  const copies = new Copies(f, arrays, new FreshNames([f, ...unit]))
  const own = new Set(f.parameters.map((p) => p.name))
  return { ...f, body: { ...f.body, body: inRegion(f.body.body, (list) => copies.list(list, own)) } }
}

class Copies {
  private made = 0
  private readonly f: CFunction
  private readonly arraysOf: Arrays['of']
  /** Pointers to one of several arrays, and those that stand for them. */
  private readonly pointers: Map<string, Declarator>
  private readonly names: FreshNames

  constructor(f: CFunction, arrays: Arrays, names: FreshNames) {
    this.f = f
    this.arraysOf = arrays.of
    this.pointers = new Map(arrays.chosen)
    this.names = names
  }

  /** A list of statements; `own`: pointers that nothing behind it uses. */
  list(body: readonly CStmt[], own: ReadonlySet<string>): readonly CStmt[] {
    const ending = new Set([...own, ...this.pointersSetIn(body)])
    for (const [i, s] of body.entries()) {
      const rest = body.slice(i + 1)
      const made = this.made < mostCopies ? this.parted(s, rest, ending) : undefined
      if (made) return [...body.slice(0, i).map((x) => this.inside(x)), ...made]
      if (s.kind === 'declare') for (const d of s.declarators) ending.add(d.name)
    }
    return body.map((s) => this.inside(s))
  }

  /** Pointers that are only used in this list, and set there before they are used. */
  private pointersSetIn(body: readonly CStmt[]): readonly string[] {
    return [...this.pointers].flatMap(([name, d]) => {
      const here = body.reduce((n, s) => n + mentions(s, name), 0)
      return d.initial === undefined && here === mentions(this.f.body, name) && setsFirst(body, name) ? [name] : []
    })
  }

  /** A statement with the lists in it done. */
  private inside(s: CStmt): CStmt {
    const none: ReadonlySet<string> = new Set()
    if (s.kind === 'block') return { ...s, body: this.list(s.body, none) }
    if (s.kind === 'switch') return { ...s, cases: s.cases.map((c) => ({ ...c, body: this.list(c.body, none) })) }
    return mapParts(
      s,
      (e) => e,
      (x) => this.inside(x),
    )
  }

  /** What stands for `s` and all that follows it in its list, where `s` says which array a pointer has. */
  private parted(s: CStmt, rest: readonly CStmt[], own: ReadonlySet<string>): readonly CStmt[] | undefined {
    if (s.kind === 'declare') return this.declared(s, rest, own)
    if (s.kind === 'if') return this.branched(s, rest, own)
    const setting = settingOf(s),
      d = setting && own.has(setting.name) ? this.pointers.get(setting.name) : undefined
    if (!setting || !d) return undefined
    const choice = choiceOf(setting.to),
      name = nameOf(setting.name, s.at)
    if (choice && this.isOfArrays(choice))
      return this.twice(choice, [assignOf(name, choice.then)], [assignOf(name, choice.else)], rest, own)
    if (rest.some((x) => declares(x, (n) => n === d.name))) return undefined
    const fresh = this.names.fresh(d.name)
    const { initial: _, ...former } = d,
      open = { ...former, name: fresh }
    this.pointers.set(fresh, open)
    return [
      { kind: 'declare', declarators: [{ ...open, initial: setting.to }], at: s.at },
      ...this.list(
        rest.map((x) => replacedIn(x, d.name, nameOf(fresh, s.at))),
        new Set([...own, fresh]),
      ),
    ]
  }

  private declared(
    s: Extract<CStmt, { kind: 'declare' }>,
    rest: readonly CStmt[],
    own: ReadonlySet<string>,
  ): readonly CStmt[] | undefined {
    const at = s.declarators.findIndex((d) => {
      const choice = d.pointer && d.initial && choiceOf(d.initial)
      return choice && this.isOfArrays(choice)
    })
    if (at < 0) return undefined
    const d = s.declarators[at]!, // found above
      choice = choiceOf(d.initial!)!,
      before = s.declarators.slice(0, at),
      after = s.declarators.slice(at + 1)
    const declare = (declarators: readonly Declarator[]): readonly CStmt[] =>
      declarators.length > 0 ? [{ ...s, declarators }] : []
    const parts = this.twice(
      choice,
      declare([{ ...d, initial: choice.then }]),
      declare([{ ...d, initial: choice.else }]),
      [...declare(after), ...rest],
      new Set([...own, ...before.map((b) => b.name)]),
    )
    return parts && [...declare(before), ...parts]
  }

  /** An `if` in which a pointer is set that is used behind it. */
  private branched(s: If, rest: readonly CStmt[], own: ReadonlySet<string>): readonly CStmt[] | undefined {
    const isSet = [...this.pointers.keys()].some(
      (name) => own.has(name) && setsIn(s, name) && rest.some((x) => mentions(x, name) > 0),
    )
    return isSet ? this.branches(s, statementsOf(s.then), statementsOf(s.else), rest, own) : undefined
  }

  /** `if (choice) { then; rest } else { other; rest }`. */
  private twice(
    choice: Choice,
    then: readonly CStmt[],
    other: readonly CStmt[],
    rest: readonly CStmt[],
    own: ReadonlySet<string>,
  ): readonly CStmt[] | undefined {
    return hasEffect(choice.condition) ? undefined : this.branches(choice, then, other, rest, own)
  }

  private branches(
    { condition, at }: Pick<If, 'condition' | 'at'>,
    then: readonly CStmt[],
    other: readonly CStmt[],
    rest: readonly CStmt[],
    own: ReadonlySet<string>,
  ): readonly CStmt[] {
    this.made++
    const branch = (list: readonly CStmt[], holds: boolean): CStmt =>
      blockOf(this.list([...list, ...decided(rest, condition, holds)], own), at)
    return [{ kind: 'if', condition, then: branch(then, true), else: branch(other, false), at }]
  }

  /** Whether the two sides are places in different arrays. */
  private isOfArrays(c: Choice): boolean {
    const [then, other] = [this.arraysOf(c.then), this.arraysOf(c.else)]
    return then.size > 0 && other.size > 0 && new Set([...then, ...other]).size > 1
  }
}

/** Whether a branch of `s` sets the pointer, at its end or in another `if`. */
const setsIn = (s: If, name: string): boolean =>
  [...statementsOf(s.then), ...statementsOf(s.else)].some(
    (x) => settingOf(x)?.name === name || (x.kind === 'if' && setsIn(x, name)),
  )

/** The list, where choices by the same condition, right behind the first, are what they are in this branch. */
function decided(rest: readonly CStmt[], condition: CExpr, holds: boolean): readonly CStmt[] {
  const key = keyOfC(condition),
    asked = new Set(everywhere(condition).flatMap((e) => (e.kind === 'name' ? [e.name] : [])))
  const end = rest.findIndex(
    (s) =>
      (s.kind !== 'declare' && !settingOf(s)) ||
      expressionsOf(s).some((e) => e.kind === 'update' || (e.kind === 'assign' && asked.has(rootName(e.left) ?? ''))) ||
      (s.kind === 'declare' && s.declarators.some((d) => asked.has(d.name))),
  )
  const same = end < 0 ? rest.length : end
  return rest.map((s, i) =>
    i < same
      ? mapParts(
          s,
          (e) => mapC(e, (x) => (x.kind === 'choose' && keyOfC(x.condition) === key ? (holds ? x.then : x.else) : x)),
          (x) => x,
        )
      : s,
  )
}
