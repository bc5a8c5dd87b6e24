// In: a C function. Out: the same where a pointer that a loop's first iteration finds in one array, and all later ones
// in another (stages of a filter, which read the input first and then work in place), has one array in each loop. The
// one idea: loop peeling (Bacon, Graham and Sharp, "Compiler Transformations for High-Performance Computing", 6.3.5):
// the first iteration stands in front of the loop, and what it leaves in the pointer between the two. Loops that
// `break` or `continue` leave, and pointers that are set under conditions, are left as they are.
import { cFunction, type InUnit } from '../../text/representation.ts'
import { keeping, pass } from '../../../../ir/index.ts'
import { blockOf, declares, expressionsOf, inRegion, mapParts, writtenIn } from '../c-rewriting.ts'
import { everywhere, rootName } from '../name-uses.ts'
import { arraysOf, isLeft, mentions, setsFirst, settingOf, statementsOf, type Arrays } from './pointer-arrays.ts'
import type { CExpr, CFunction, CStmt } from '../../text/syntax.ts'

// Before:
//
//   void f(int n, int stages, const float *x, float *y) {
//     const float *p = x;
//     do {
//       for (int i = 0; i < n; i++) y[i] = 2 * p[i];
//       p = y;
//       stages--;
//     } while (stages > 0);
//   }
//
// After:
//
//   void f(int n, int stages, float *x, float *y) {
//     float *p = x;
//     for (int i = 0; i < n; i++) {
//       y[i] = 2 * p[i];
//     }
//     stages--;
//     p = y;
//     while (stages > 0) {
//       for (int i = 0; i < n; i++) {
//         y[i] = 2 * p[i];
//       }
//       p = y;
//       stages--;
//     }
//   }
export const loopPeeling = pass<CFunction, InUnit>({
  name: 'loop-peeling',
  summary: 'the first iteration stands in front of a loop in which a pointer changes its array behind it',
  of: cFunction,
  run: keeping(withFirstIterations),
})

/** `f` with the first iterations peeled that find a pointer in another array than later ones. */
export function withFirstIterations(f: CFunction): CFunction {
  const arrays = arraysOf(f)
  if (arrays.chosen.size === 0) return f
  const list = (body: readonly CStmt[]): readonly CStmt[] => body.flatMap((s) => peeled(inside(s), arrays))
  const inside = (s: CStmt): CStmt => {
    if (s.kind === 'block') return { ...s, body: list(s.body) }
    return mapParts(
      s,
      (e) => e,
      (x) => {
        const made = list([x])
        return made.length === 1 ? made[0]! : blockOf(made, x.at)
      },
    )
  }
  return { ...f, body: { ...f.body, body: inRegion(f.body.body, list) } }
}

/** `s`, or its first iteration, what that leaves in pointers, and the loop over all others. */
function peeled(s: CStmt, arrays: Arrays): readonly CStmt[] {
  if ((s.kind !== 'do' && s.kind !== 'while' && s.kind !== 'for') || isLeft(s.body)) return [s]
  const body = statementsOf(s.body),
    changing = [...arrays.chosen.keys()].filter((name) => changesOnce(body, name, arrays))
  if (changing.length === 0) return [s]
  const isLast = (x: CStmt): boolean => changing.some((name) => settingOf(x)?.name === name)
  const first = blockOf(
      body.filter((x) => !isLast(x)),
      s.body.at,
    ),
    between = body.filter(isLast)
  const loop = (condition: CExpr | null, update: CExpr | null): CStmt =>
    update || !condition
      ? { kind: 'for', init: null, condition, update, body: s.body, at: s.at }
      : { kind: 'while', condition, body: s.body, at: s.at }
  if (s.kind === 'do') return [first, blockOf([...between, loop(s.condition, null)], s.at)]
  const update: readonly CStmt[] =
      s.kind === 'for' && s.update ? [{ kind: 'expr', expr: s.update, at: s.update.at }] : [],
    others = blockOf([...between, ...update, loop(s.condition, s.kind === 'for' ? s.update : null)], s.at)
  const guarded: readonly CStmt[] = s.condition
    ? [{ kind: 'if', condition: s.condition, then: blockOf([first, others], s.at), else: null, at: s.at }]
    : [first, others]
  return s.kind === 'for' && s.init ? [blockOf([s.init, ...guarded], s.at)] : guarded
}

/**
 * Whether the body uses the pointer and then sets it once, at its end as far as the pointer is concerned, to a place in
 * one array, which the rest of the body leaves as it is; and every other change moves it within its array.
 */
function changesOnce(body: readonly CStmt[], name: string, arrays: Arrays): boolean {
  const at = body.findIndex((s) => settingOf(s)?.name === name),
    setting = at < 0 ? undefined : settingOf(body[at]!)
  if (!setting || setsFirst(body, name) || arrays.of(setting.to).size !== 1) return false
  const sets = expressionsOf(blockOf(body, setting.to.at)).filter(
    (e) => e.kind === 'assign' && e.op === '' && e.left.kind === 'name' && e.left.name === name,
  )
  const behind = body.slice(at + 1),
    written = writtenIn(blockOf(behind, setting.to.at)),
    needs = everywhere(setting.to).flatMap((e) => (e.kind === 'name' ? [e.name] : []))
  const declared = new Set(body.flatMap((s) => (s.kind === 'declare' ? s.declarators.map((d) => d.name) : [])))
  return (
    sets.length === 1 &&
    body.slice(0, at).some((s) => mentions(s, name) > 0) &&
    behind.every((s) => mentions(s, name) === 0) &&
    needs.every((x) => x !== name && !written.has(x) && !declared.has(x)) &&
    !everywhere(setting.to).some((e) => e.kind === 'index' || e.kind === 'deref') &&
    rootName(setting.to) !== undefined &&
    !body.some((s) => declares(s, (x) => x === name))
  )
}
