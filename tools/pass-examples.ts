// In: the sources of the passes. Out: the example of each, by the pass's name: a program before it and after it, as
// text of its representation; and how such texts are read. The one idea: an example stands in the comment in front of
// the declaration, where it is read with the pass; tests run it and `docs/passes.md` shows it, and what users load does
// not carry it.
import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { lowerFunction } from '../src/frontend/c/lower/function.ts'
import type { Lowering } from '../src/frontend/c/frontend.ts'
import { loweredC } from '../src/frontend/c/lower/lowered.ts'
import { parseUnit } from '../src/frontend/c/text/parse.ts'
import { preprocess } from '../src/frontend/c/text/preprocess.ts'
import { cFunction, cUnit } from '../src/frontend/c/text/representation.ts'
import type { CUnit } from '../src/frontend/c/text/syntax.ts'
import { inlined } from '../src/frontend/ptx/control-flow/inlining.ts'
import { mapMemory } from '../src/frontend/ptx/memory-map.ts'
import { flatPtx, placedPtx, ptxEntry, ptxEntryOf } from '../src/frontend/ptx/index.ts'
import { wgslEntryOf, wgslText } from '../src/frontend/wgsl/index.ts'
import {
  kernelIR,
  loopIR,
  loopIRWithTemporaries,
  loopNests,
  nestsAsWritten,
  parseKernel,
  parseProgram,
  type Nest,
  type Other,
  type AnyPass,
  type AnyTranslation,
  type PassContext,
  type Representation,
  type Temporaries,
} from '../src/ir/index.ts'
import { outerLoops } from '../src/analysis/index.ts'
import { compilation, compilations } from '../src/pipeline/analysis.ts'
import { scheduledLoops } from '../src/schedule/index.ts'
import { regionsWithKernels, sizeProducts, type RegionContext } from '../src/transform/index.ts'

export interface PassExample {
  readonly before: string
  readonly after: string
  /** Where it stands, from the repository's root. */
  readonly file: string
}

/** The text of an example as a value, with what passes ask of their surroundings. */
export interface Opened {
  readonly value: unknown
  readonly context: PassContext
}

type Reader = (text: string) => Opened | Promise<Opened>

/** The parser must have been loaded. */
const readUnit = (text: string): Promise<CUnit> => parseUnit(preprocess(text, 'example.c'))

/** Nests are written one outermost statement each; what asks kernels is told that they can do everything. */
function readRegions(text: string): Opened {
  const program = parseProgram(text),
    { regions } = nestsAsWritten(program)
  const kernels: RegionContext['kernels'] = {
    isProduct: () => false,
    isContraction: () => true,
    hasTiles: () => true,
    makesRows: () => true,
    makesSums: () => true,
    makesMaps: () => true,
  }
  const context: RegionContext = { sizes: sizeProducts(program), kernels }
  return { value: { program, regions }, context }
}

function readNests(text: string): Opened {
  const { program, regions } = nestsAsWritten(parseProgram(text))
  const parts = regions.flatMap((r): readonly (Nest | Other)[] => {
    if (r.kind === 'host') return []
    return [
      r.kind === 'idiom' || r.kind === 'serial'
        ? { ...r, parallel: outerLoops({ ...program, body: r.body }).parallel }
        : r,
    ]
  })
  return { value: { program, parts }, context: {} }
}

/** C is a file, whose last function is meant. */
async function readFunction(text: string): Promise<Opened> {
  const unit = await readUnit(text),
    context: Lowering = { unit, planned: new Map() }
  return { value: unit.functions.at(-1), context }
}

async function readLowered(text: string): Promise<Opened> {
  const unit = await readUnit(text)
  return { value: lowerFunction(unit.functions.at(-1)!, unit, new Map()), context: {} } // examples have a function
}

/** PTX is a module with one entry. Blocks have 32 threads. */
const launch = { block: [32, 1, 1], shared: 0, code: undefined, textures: {} } as PassContext

/** A flat body is PTX without calls. */
function readFlat(text: string): Opened {
  const { module, entry } = ptxEntryOf(text, 'example.ptx')
  return { value: { module, entry, body: inlined(module, entry), memory: null }, context: launch }
}

/** The same, of which it is known where each access may lead. */
function readPlaced(text: string): Opened {
  const { module, entry } = ptxEntryOf(text, 'example.ptx'),
    body = inlined(module, entry)
  return { value: { module, entry, body, memory: mapMemory(module, entry, body, 0) }, context: launch }
}

const readers = new Map<unknown, Reader>([
  [loopIR, (text) => ({ value: parseProgram(text), context: {} })],
  [
    loopIRWithTemporaries,
    (text) => {
      const context: Temporaries = { whole: true }
      return { value: parseProgram(text), context }
    },
  ],
  [loopNests, readNests],
  [regionsWithKernels, readRegions],
  [compilations, (text) => ({ value: compilation(parseProgram(text)), context: {} })],
  [cFunction, readFunction],
  [cUnit, async (text) => ({ value: await readUnit(text), context: {} })],
  [loweredC, readLowered],
  [wgslText, (text) => ({ value: wgslEntryOf(text, 'example.wgsl'), context: {} })],
  [ptxEntry, (text) => ({ value: ptxEntryOf(text, 'example.ptx'), context: launch })],
  [flatPtx, readFlat],
  [placedPtx, readPlaced],
  [scheduledLoops, (text) => ({ value: { program: parseProgram(text), name: 'example', options: {} }, context: {} })],
  // no register is to spare, so that a small kernel shows what happens
  [kernelIR, (text) => ({ value: parseKernel(text), context: { mostHeld: 0 } as PassContext })],
])

/** The program of an example as what `of` rewrites or takes. Throws where nobody has said how that is read. */
export async function openExample(of: AnyPass | AnyTranslation, text: string): Promise<Opened> {
  const given: Representation<unknown> = of.kind === 'pass' ? of.of : of.from
  const read = readers.get(given)
  if (!read) throw new Error(`${of.name}: tools/pass-examples.ts does not say how examples of ${given.name} are read`)
  return read(text)
}

const root = resolve(import.meta.dirname, '..')

/** A comment, perhaps a docstring, and the declaration of a pass with its name. */
const declaration = new RegExp(
  [
    /((?:^\/\/.*\n)+)/,
    /(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?/,
    /(?:export )?const \w+ = (?:\/\* @__PURE__ \*\/ )?(?:pass|translation)\b[^{]*\(\{\n\s*name: '([\w-]+)'/,
  ]
    .map((r) => r.source)
    .join(''),
  'gm',
)

/** What stands in `comment` under a heading, without the margin of the comment. */
function under(heading: string, comment: string): string | undefined {
  const lines = comment.split('\n')
  const at = lines.indexOf(`// ${heading}:`)
  if (at < 0) return undefined
  const rest = lines.slice(at + 1)
  const end = rest.findIndex((l) => /^\/\/ \S/.test(l))
  const body = end < 0 ? rest : rest.slice(0, end)
  return body
    .map((l) => l.replace(/^\/\/( {3})?/, ''))
    .join('\n')
    .trim()
}

/** All examples. Throws when a pass has half of one or a name has two. */
export function passExamples(): ReadonlyMap<string, PassExample> {
  const found = new Map<string, PassExample>()
  for (const name of readdirSync(join(root, 'src'), { recursive: true }).map(String).sort()) {
    if (!name.endsWith('.ts')) continue
    const text = readFileSync(join(root, 'src', name), 'utf8')
    for (const [, comment = '', pass = ''] of text.matchAll(declaration)) {
      const before = under('Before', comment),
        after = under('After', comment)
      if (before === undefined && after === undefined) continue
      if (before === undefined || after === undefined) throw new Error(`src/${name}: ${pass} has half of an example`)
      if (found.has(pass)) throw new Error(`src/${name}: ${pass} has two examples`)
      found.set(pass, { before, after, file: `src/${name}` })
    }
  }
  return found
}
