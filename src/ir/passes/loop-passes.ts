// LoopIR as representations that passes rewrite: a program, and a program taken apart into regions. Each has its text
// and its verifier.
import { bodyOf, nestProgram, type Regions } from '../loop/nest-program.ts'
import type { Computed, Nest, Other, Region } from '../loop/nest.ts'
import type { LoopStmt, Program } from '../loop/loop.ts'
import { printExpr, printProgram, printStmt } from '../loop/text-loop.ts'
import { verifyProgram } from '../loop/verify-loop.ts'
import type { PassContext, Representation } from './pass.ts'

export const loopIR: Representation<Program> = {
  name: 'LoopIR',
  print: printProgram,
  verify: verifyProgram,
}

/** What passes ask that may change temporaries of the program. */
export interface Temporaries extends PassContext {
  /** The program is all that uses its temporaries, no piece of another. */
  readonly whole: boolean
}

/** A program whose temporaries are known to be its own, or not (`Temporaries`). */
export const loopIRWithTemporaries: Representation<Program> = { ...loopIR }

/** Regions before any loop is on the host. */
export interface Nests {
  readonly program: Program
  readonly parts: readonly (Nest | Other)[]
}

export const loopNests: Representation<Nests> = {
  name: 'nests of LoopIR',
  print: ({ program, parts }) => printRegions({ program, regions: parts }),
  verify: ({ program, parts }) => verifyRegions({ program, regions: parts }),
}

export const loopRegions: Representation<Regions> = {
  name: 'regions of LoopIR',
  print: printRegions,
  verify: verifyRegions,
  isSame: (a, b) => a.program === b.program && a.regions === b.regions,
}

/** The program whose statements are those of its regions; comments say what is no nest, and what the host runs. */
export function printRegions({ program, regions }: Regions): string {
  const [head = ''] = printProgram({ ...program, body: [] }).split(/^}$/m)
  return `${head}${regions.map((r) => regionText(program, r, '  ')).join('')}}\n`
}

function regionText(program: Program, r: Region, indent: string): string {
  const text = (body: readonly LoopStmt[], margin: string): string =>
    body
      .map((s) => printStmt(s))
      .join('\n')
      .trimEnd()
      .replace(/^/gm, margin)
  const statements = (): string => text(bodyOf(program, r), indent)
  const flat = r.kind === 'nest' ? r.flat : undefined
  switch (r.kind) {
    case 'nest':
      return `${statements()}\n${(flat?.nests ?? [])
        .map((n) => `${text(nestProgram(program, n).body, `${indent}// over fewer loops: `)}\n`)
        .join('')}${(flat?.computed ?? []).map((c) => `${indent}// where ${computedText(c)}\n`).join('')}`
    case 'idiom':
      return `${indent}// form: ${r.form.kind}\n${statements()}\n`
    case 'serial':
      return `${indent}// no nest${r.why === '' ? '' : `: ${r.why}`}\n${statements()}\n`
    case 'host': {
      const bounds = `${printExpr(r.lower)} .. ${printExpr(r.upper)}${r.step === 1 ? '' : ` step ${r.step}`}`
      const inner = r.body.map((x) => regionText(program, x, `${indent}  `)).join('')
      return `${indent}// the host: for ${r.variable} in ${bounds} {\n${inner}${indent}// }\n`
    }
  }
}

/** What an array is that lies in no memory. */
function computedText({ array, at, element, guard }: Computed): string {
  const value = printExpr(element)
  return `${array.name}[${at.join(', ')}] is ${guard ? `${printExpr(guard)} ? ${value} : 0` : value}`
}

/**
 * Each region is a program of its own: locals are its own. Rows hand registers on that their text does not declare.
 */
function verifyRegions({ program, regions }: Regions): void {
  for (const r of regions) {
    if (r.kind === 'host') verifyRegions({ program, regions: r.body })
    else if (r.kind !== 'idiom' || r.form.kind !== 'rows') verifyProgram({ ...program, body: bodyOf(program, r) })
  }
}
