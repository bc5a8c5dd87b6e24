// In: C source text. Out: a verified LoopIR program. The one idea: preprocess, parse, lower, settle shapes, in this
// order, check bounds; each stage refuses what it does not know with file:line:column. It reads no files: includes come
// through a function, the parser's WebAssembly as bytes. Array parameters are taken not to overlap, `restrict` or not.
import { attempted, fail, isInapplicable } from '../../base/index.ts'
import {
  because,
  conditionsOf,
  printExpr,
  runPass,
  runPasses,
  sequence,
  translate,
  translation,
  verifyProgram,
  isFixed,
  type PassTrace,
  type Program,
} from '../../ir/index.ts'
import { forRecognition } from './c-to-c/for-recognition.ts'
import { checkNames, sortDefines, type Planned } from './text/defines.ts'
import { tailDuplication } from './c-to-c/tail-duplication.ts'
import { structuring } from './c-to-c/structuring.ts'
import { inlining } from './c-to-c/inlining.ts'
import { gotoElimination } from './c-to-c/goto-elimination.ts'
import { globals } from './c-to-c/globals.ts'
import { libraryFor } from './c-to-c/libc.ts'
import { lowerFunction, type LoweredFunction } from './lower/function.ts'
import { loweredC, onLowered } from './lower/lowered.ts'
import { parseUnit, type ParserFiles } from './text/parse.ts'
import { pointersToIndices } from './c-to-c/pointers-to-indices.ts'
import { preprocess } from './text/preprocess.ts'
import { expressionsOf, hasRegion } from './c-to-c/c-rewriting.ts'
import { mainParameters } from './c-to-c/main-parameters.ts'
import { assertions } from './c-to-c/assertions.ts'
import { tailCalls } from './c-to-c/tail-calls.ts'
import { checkBounds } from './settle/bounds-check.ts'
import { checkElements, manageable, usualSteps } from './settle/sizes/assumed-sizes.ts'
import { flagReduction } from './settle/flag-reduction.ts'
import { delinearization } from './settle/delinearization.ts'
import {
  isTooMuchToProve,
  largestWindow,
  leastSize,
  stridesIn,
  withNamedConstants,
} from './settle/sizes/provable-sizes.ts'
import { arrayLowerBounds } from './settle/sizes/lower-bounds.ts'
import { plannedPitches } from './settle/sizes/planned-pitches.ts'
import { held, passedTo } from './settle/sizes/planned-sizes.ts'
import { structReturn } from './c-to-c/structures/struct-return.ts'
import { pointerArrayReplacement } from './c-to-c/pointers/pointer-array-replacement.ts'
import { unionPunning } from './c-to-c/structures/union-punning.ts'
import { pointerRenaming } from './c-to-c/pointers/pointer-renaming.ts'
import { loopPeeling } from './c-to-c/pointers/loop-peeling.ts'
import { sroa } from './c-to-c/structures/sroa.ts'
import { deadTimers } from './c-to-c/dead-timers.ts'
import { bufferRotation } from './c-to-c/buffer-rotation.ts'
import { quotientStripMining } from './settle/quotient-strip-mining.ts'
import { guardVersioning } from './settle/guard-versioning.ts'
import { brokenConditions } from './settle/broken-conditions.ts'
import { bothLayouts, layoutsOf } from './settle/layout-versioning.ts'
import { windowParameters } from './settle/window-parameters.ts'
import { bothWindows, withParameters } from './settle/window-versioning.ts'
import { guardSinking } from './settle/guard-sinking.ts'
import { cFunction, type InUnit } from './text/representation.ts'
import type { CFunction, CStmt, CUnit } from './text/syntax.ts'

export interface COptions {
  /** Which function; without it the one with `#pragma scop`, else the only one that has loops. */
  readonly function?: string
  /** `-D`: macros; or, for a name that is an integer parameter, the value to plan for. */
  readonly defines?: Readonly<Record<string, string>>
  /** The text of an included file by its path, or undefined. */
  readonly include?: (path: string) => string | undefined
  /** Needed once per process. */
  readonly wasm?: ParserFiles
  /** Who wants to know what passes do. */
  readonly trace?: PassTrace
}

/**
 * Reads one function of a C file as a program. Sizes are planned from `#pragma tesela sizes(n = 4096)`, `-D n=4096`
 * wins; otherwise from what the file's own calls pass, what arrays of known extents hold, or 1024 and less where arrays
 * or loops would be too large. Throws a `DiagnosticError` with everything that is wrong.
 */
export async function parseC(text: string, file: string, options: COptions = {}): Promise<Program> {
  const { macros, values } = sortDefines(text, file, options.defines ?? {})
  const source = preprocess(text, file, { defines: macros, ...(options.include && { include: options.include }) })
  const { trace } = options,
    own = runPasses(fileToC, await parseUnit(source, options.wasm), { trace })
  const chosen = chooseFunction(own, options.function, file),
    library = libraryFor(own)
  const called = library === '' ? [] : (await parseUnit(preprocess(library, 'the C library'))).functions
  const unit = runPass(tailCalls, { ...own, functions: [...own.functions, ...called] }, { trace }),
    f = unit.functions[own.functions.indexOf(chosen)]! // one for each
  const planned = new Map<string, Planned>([...passedTo(chosen, own), ...source.planned, ...values])
  const plain = runPasses(functionToC, f, { unit, trace }),
    first = translate(cLowering, plain, { unit, planned, trace }),
    fit = held(first),
    steps = usualSteps(first.program, first.assumed)
  const valuesWith = (more: ReadonlyMap<string, number>): ReadonlyMap<string, Planned> =>
    new Map([...[...more].map(([name, value]) => [name, { value, at: f.at }] as const), ...planned])
  const loweredAt = (values: ReadonlyMap<string, number>): LoweredFunction =>
    values.size === 0 ? first : translate(cLowering, plain, { unit, planned: valuesWith(values), trace })
  const at = (values: ReadonlyMap<string, number>): Program => settledLayouts(loweredAt(values), trace)
  const general = (numbers: ReadonlySet<string>): Program => {
    const keepsNumber = (macro: string, value: number): boolean => value <= largestWindow || numbers.has(macro)
    const lowered = lowerFunction(withNamedConstants(plain), unit, planned, keepsNumber)
    return checked(settledLayouts(lowered, trace))
  }
  /** The program for the windows that are said, with one for all others. */
  const withWindows = (values: ReadonlyMap<string, number>): Program | undefined => {
    const windows = windowParameters(first),
      known = windows.size > 0 ? withParameters(plain, windows) : undefined
    if (!known) return undefined
    const lowering = { unit, planned: valuesWith(values), trace }
    const made = attempted(() => [
      checked(settledLayouts(translate(cLowering, known, lowering), trace)),
      checked(settledLayouts({ ...loweredAt(values), standsBy: true }, trace)),
    ])
    const [planned, any] = isInapplicable(made) ? [] : made
    return planned && any && bothWindows(planned, any, windows)
  }
  /** The values, and longer pitches where rows would overlap at them. */
  const apart = (values: ReadonlyMap<string, number>): ReadonlyMap<string, number> =>
    new Map([...values, ...[...plannedPitches(first, values)].filter(([name]) => !steps.has(name))])
  const usual = apart(new Map([...fit, ...steps])),
    isPitch = (name: string): boolean => usual.has(name) && !fit.has(name)
  const large = at(usual),
    smaller = manageable(large, new Set([...first.assumed].filter((name) => !isPitch(name)))),
    less = new Map([...steps, ...smaller]),
    all = apart(new Map([...fit, ...less])),
    windowed = withWindows(all),
    found = windowed ?? (smaller.size === 0 ? provable(large, general) : at(all))
  const notes = [
    ...notesOf(plain),
    ...(found.notes ?? []),
    ...conditionNotes(found),
    ...brokenConditions(first, found, (lowered) => runPasses(settle, lowered, {}).program),
    ...assumedIn(found, new Set([...first.assumed].filter((name) => !fit.has(name) || less.has(name))), steps, smaller),
  ]
  const program: Program = { ...found, ...(notes.length > 0 && { notes }) }
  checkNames(
    macros,
    source,
    f,
    [...unit.functions, plain],
    [...program.sizes.filter((s) => !isFixed(s)), ...program.scalars].map((s) => s.name),
  )
  return checked(program)
}

/**
 * Names of the functions that a file offers, in order: all but `main` and those that others call. Throws a
 * `DiagnosticError` where it is no C.
 */
export async function offeredFunctions(text: string, file: string, options: COptions = {}): Promise<readonly string[]> {
  const { macros } = sortDefines(text, file, options.defines ?? {})
  const source = preprocess(text, file, { defines: macros, ...(options.include && { include: options.include }) })
  const { functions } = runPasses(fileToC, await parseUnit(source, options.wasm), { trace: options.trace }),
    called = calledIn(functions)
  return functions.filter((f) => f.name !== 'main' && !called.has(f.name)).map((f) => f.name)
}

/** The program with its shapes; where a number of the caller chooses between layouts, with those of each. */
function settledLayouts(lowered: LoweredFunction, trace?: PassTrace): Program {
  const plain = (l: LoweredFunction): Program => runPasses(settle, l, { trace }).program,
    layouts = layoutsOf(lowered)
  const standsBy = (): Program => plain({ ...lowered, standsBy: true })
  return (
    (layouts && bothLayouts(plain(layouts.planned), plain(layouts.other), layouts.condition, standsBy)) ??
    plain(lowered)
  )
}

/** `program`, where it is one and stays inside of its arrays at the planned sizes; else throws a `DiagnosticError`. */
function checked(program: Program): Program {
  verifyProgram(program)
  checkElements(program)
  checkBounds(program)
  return program
}

/** The program, or where it is too much for a proof the one with sizes in place of its constants, if that is not. */
function provable(program: Program, general: (numbers: ReadonlySet<string>) => Program): Program {
  if (!isTooMuchToProve(program)) return program
  // the sizes may be said in ways that only numbers explain
  const linear = attempted(() => {
    const made = general(new Set()),
      strides = stridesIn(made)
    return strides.size === 0 ? made : general(strides)
  })
  return isInapplicable(linear) || stridesIn(linear).size > 0 || isTooMuchToProve(linear, leastSize) ? program : linear
}

/** A sentence on the sizes that nothing says. */
function assumedIn(
  program: Program,
  assumed: ReadonlySet<string>,
  steps: ReadonlyMap<string, number>,
  smaller: ReadonlyMap<string, number>,
): readonly string[] {
  const names = program.sizes.map((s) => s.name).filter((name) => assumed.has(name))
  if (names.length === 0) return []
  const small = steps.size > 0 ? ', small ones for windows and their steps' : '',
    reduced =
      smaller.size > 0
        ? ', reduced until the arrays fit a GPU and the loops have iterations and finish in reasonable time'
        : '',
    values = names.length > 1 ? 'values are assumed' : 'a value is assumed'
  return [
    `the source does not say how large ${names.join(', ')} ${names.length > 1 ? 'are' : 'is'}; ` +
      `${values}${small}${reduced}. ` +
      `Set ${names.length > 1 ? 'them' : 'it'} with -D ${names[0]}=… or #pragma tesela sizes(${names[0]} = …)`,
  ]
}

/** Sentences on what the host asks of sizes. */
const conditionNotes = (program: Program): readonly string[] =>
  conditionsOf(program).map(
    (e) =>
      `${printExpr(e)} is taken to hold: where it does not, the host runs kernels of the loops as they are written`,
  )

/** What was left out, by name. */
function notesOf(f: CFunction): readonly string[] {
  const lines = new Map<string, Set<number>>(),
    ending = new Set<string>()
  for (const d of f.dropped ?? []) {
    lines.set(d.name, (lines.get(d.name) ?? new Set()).add(d.at.line))
    if (d.ends) ending.add(d.name)
  }
  const why = (name: string): string =>
    ending.has(name)
      ? 'ends the program: the function returns there, and its results count for nothing'
      : 'computes nothing and is left out of the kernels'
  return [
    ...(f.notes ?? []),
    ...[...lines].map(([name, at]) => `${name} (line ${[...at].sort((a, b) => a - b).join(', ')}) ${why(name)}`),
  ]
}

/** What is done before one of the functions is chosen. */
export const fileToC = sequence<CUnit>(
  'c-file',
  'takes out of all functions what says nothing about the one that is meant',
  [gotoElimination, because('a clock may stand behind a jump', deadTimers)],
)

/** A function in loops, branches and assignments to variables and elements of arrays. */
export const functionToC = sequence<CFunction, InUnit>(
  'c-to-c',
  'rewrites one function into less C, until it can be lowered',
  [
    mainParameters,
    because('calls that compute nothing go next', assertions),
    because('all that follows sees one function', inlining),
    because('calls may change variables of the file', globals),
    because('results of calls are variables by now', structReturn),
    because('unions of the file and of helpers are variables by now', unionPunning),
    pointerArrayReplacement,
    loopPeeling,
    because('what later iterations find is a live range of its own', pointerRenaming),
    because('arrays take turns in loops that count', forRecognition),
    bufferRotation,
    because('arrays that take turns are not chosen by conditions any more', tailDuplication),
    because('pointers to structures go before structures', pointersToIndices),
    sroa,
    because('pointers that were members are locals now', pointersToIndices),
    because('pointers that moved are numbers now, which loops may count', forRecognition),
    because('all jumps are there once calls are in place', structuring),
  ],
)

/** What lowering knows beside a function: its file, and what sizes to plan for. */
export interface Lowering extends InUnit {
  readonly planned: ReadonlyMap<string, Planned>
}

// Before:
//
//   void f(int n, const float x[n], float y[n]) {
//     int k = 0;
//     for (int i = 0; i < n; i++) {
//       y[k] = 2 * x[i];
//       k += 1;
//     }
//   }
//
// After:
//
//   program f {
//     size n = 1024 min 0 counts
//     array x: f32[n] inout global
//     array y: f32[n] inout global
//     for i in 0 .. n {
//       y[i] = 2.0f * x[i]
//     }
//   }
export const cLowering = translation<CFunction, LoweredFunction, Lowering>({
  name: 'c-lowering',
  summary: 'a function of loops and assignments becomes loops over arrays; counters become functions of loop variables',
  needs: ['induction variables', 'reductions'],
  from: cFunction,
  to: loweredC,
  run: (f, { unit, planned }) => lowerFunction(f, unit, planned),
})

/** A lowered program with all shapes. */
export const settle = sequence<LoweredFunction>('settle', 'finds out what C does not say of arrays', [
  because('subscripts may count on what holds everywhere', onLowered(guardVersioning)),
  because('rows count from the first element of their array', arrayLowerBounds),
  delinearization,
  onLowered(guardSinking),
  onLowered(flagReduction),
  because('subscripts have their dimensions by now', onLowered(quotientStripMining)),
])

function hasLoop(s: CStmt): boolean {
  switch (s.kind) {
    case 'for':
    case 'while':
    case 'do':
      return true
    case 'block':
      return s.body.some(hasLoop)
    case 'switch':
      return s.cases.some((c) => c.body.some(hasLoop))
    case 'if':
      return hasLoop(s.then) || (s.else !== null && hasLoop(s.else))
    case 'unknown':
      return s.what.startsWith('syntax: ')
    case 'declare':
    case 'expr':
    case 'return':
    case 'pragma':
    case 'empty':
    case 'break':
    case 'continue':
    case 'leave':
      return false
  }
}

/** Names of functions that others call. */
function calledIn(functions: readonly CFunction[]): ReadonlySet<string> {
  return new Set(
    functions
      .filter((f) => f.name !== 'main')
      .flatMap((f) => expressionsOf(f.body).flatMap((e) => (e.kind === 'call' && e.name !== f.name ? [e.name] : []))),
  )
}

/** Functions other than `main` that have loops or call one that has. */
function loopingIn(functions: readonly CFunction[]): readonly CFunction[] {
  const looping = new Set(functions.filter((f) => hasLoop(f.body)).map((f) => f.name))
  const calls = functions.map((f) => ({
    name: f.name,
    called: expressionsOf(f.body).flatMap((e) => (e.kind === 'call' ? [e.name] : [])),
  }))
  for (let before = -1; before < looping.size; ) {
    before = looping.size
    for (const { name, called } of calls) if (called.some((x) => looping.has(x))) looping.add(name)
  }
  return functions.filter((f) => looping.has(f.name) && f.name !== 'main')
}

function chooseFunction(unit: CUnit, name: string | undefined, file: string): CFunction {
  const at = { file, line: 1, column: 1 },
    foreign = unit.functions.find((f) => f.name === '')
  if (foreign)
    fail(
      'c.syntax',
      'this is not understood as C here',
      foreign.at,
      'C++ is not read: write classes as structures, and functions outside of them',
    )
  const twice = unit.functions.flatMap((f) =>
    f.parameters.filter((p, i) => p.name !== '' && f.parameters.findIndex((q) => q.name === p.name) < i),
  )[0]
  if (twice) fail('c.declaration', `two parameters are called ${twice.name}`, twice.at)
  if (name !== undefined)
    return (
      unit.functions.find((f) => f.name === name) ??
      fail(
        'c.function',
        `there is no function ${name}`,
        at,
        `functions here: ${unit.functions.map((f) => f.name).join(', ')}`,
      )
    )
  const marked = unit.functions.filter(hasRegion),
    looping = loopingIn(unit.functions)
  const program = unit.functions.find((f) => f.name === 'main' && hasLoop(f.body)),
    called = calledIn(unit.functions),
    whole = looping.filter((f) => !called.has(f.name))
  const candidates =
    marked.length > 0
      ? marked
      : whole.length > 0
        ? whole
        : looping.length > 0
          ? looping
          : program
            ? [program]
            : unit.functions
  const [only, more] = candidates
  if (!only) return fail('c.function', 'the file defines no function', at)
  if (more)
    fail(
      'c.function',
      `several functions could be meant: ${candidates.map((f) => f.name).join(', ')}`,
      more.at,
      'choose one by its name (--function, or the option function), or mark the region with #pragma scop',
    )
  return only
}
