// In: a C function without calls of its file's functions. Out: the same without a structure as its result. The one
// idea: what ABIs do with results that fit no register (LLVM's `sret`): the caller passes an array of one structure,
// and a `return` stores into it. Members that are pointers are refused where structures in memory are.
import { cFunction, type InUnit } from '../../text/representation.ts'
import { keeping, pass } from '../../../../ir/index.ts'
import { assignOf, blockOf, FreshNames, inRegion, mapParts, nameOf, numberOf } from '../c-rewriting.ts'
import type { CFunction, CStmt, CUnit } from '../../text/syntax.ts'

// Before:
//
//   struct pair { float x, y; };
//   struct pair f(int n, float *x) {
//     struct pair s = {0, 0};
//     for (int i = 0; i < n; i++) s.x += x[i];
//     return s;
//   }
//
// After:
//
//   void f(int n, float *x, struct pair result[1]) {
//     struct pair s = {0, 0};
//     for (int i = 0; i < n; i++) {
//       s.x += x[i];
//     }
//     result[0] = s;
//     return;
//   }
export const structReturn = pass<CFunction, InUnit>({
  name: 'struct-return',
  summary: 'a structure that the function returns is an array of one that its caller passes',
  of: cFunction,
  run: keeping((f, { unit }) => withResultParameter(f, unit)),
})

/** `f` with its result stored behind a parameter, where it is a structure. */
export function withResultParameter(f: CFunction, unit: CUnit): CFunction {
  const { returnsStruct: struct, ...plain } = f
  if (!struct) return f
  const name = new FreshNames([f, ...unit.functions]).fresh('result')
  const stored = (s: CStmt): CStmt => {
    if (s.kind !== 'return' || !s.value) return mapParts(s, (e) => e, stored)
    const place = { kind: 'index', base: nameOf(name, s.at), index: numberOf(0, s.at), at: s.at } as const
    return blockOf([assignOf(place, s.value), { ...s, value: null }], s.at)
  }
  return {
    ...plain,
    returns: 'void',
    parameters: [...f.parameters, { name, type: 'void', struct, extents: [numberOf(1, f.at)], at: f.at }],
    body: { ...f.body, body: inRegion(f.body.body, (list) => list.map(stored)) },
    notes: [...(f.notes ?? []), `the structure that the function returns is the array ${name} of one element`],
  }
}
