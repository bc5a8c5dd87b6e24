// Sums of a block. In: atomics that wait for each other. Out: candidates. The one idea (privatisation): a block adds up
// in memory of its own and adds its sums once.
import { atomicCalls, numberAt, statementOf, type AtomicCall } from './atomic-calls.ts'
import { accessesAt, type FixCandidate, type FixCase } from './candidate.ts'
import { kernelText, withEntry, type KernelText } from './entry.ts'
import { textOffset, unusedName, usesOfName, type SourceCode, type Edit, type TextRange } from './source-text.ts'
import { isOnceABlock } from '../rules/serialized-access.ts'
import { wordsOf } from '../wording.ts'
import type { Finding } from '../types.ts'

/** Bytes of a block's sums: what every WebGPU device has. */
const mostBytes = 16384

/** Shorter tables whose length nobody gave: a run on data that nobody gave has hardly used them. */
const fewestPlaces = 8

/** What is added up from 0, with the words for it; of signed integers the larger of two may be below 0. */
const combinations: Readonly<Record<string, string>> = {
  atomicAdd: 'add up',
  atomicMax: 'find the largest of',
  atomicOr: 'join the bits of',
  atomicXor: 'join the bits of',
}

interface Update extends AtomicCall {
  readonly statement: TextRange
}

/** Additions, maxima and bits of a block collected in shared memory. */
export function privateSums(c: FixCase, f: Finding): readonly FixCandidate[] {
  const { code, report } = c
  const access = accessesAt(c, f.at).find((a) => a.op === 'atomic')
  const at = f.at && textOffset(code.text, f.at)
  if (!access || at === null) return []
  if (report.accesses.some((a) => a.space === 'shared') && isOnceABlock(access, report.launch)) return []
  const updates = atomicCalls(code, Object.keys(combinations)).flatMap((call): Update[] => {
    const statement = statementOf(code, call)
    return statement ? [{ ...call, statement }] : []
  })
  const here =
    updates.find((u) => u.statement.from <= at && at < u.statement.to) ??
    updates.find((u) => code.language === 'cuda' && isOnLine(code, u.statement, at))
  const kernel = kernelText(code, report.kernel.name)
  if (!here || !kernel) return []
  const same = updates.filter((u) => u.path === here.path)
  const buffer = report.buffers.find((b) => b.name === access.resource || b.name === here.path.split(/[.[]/)[0])
  const type = numberAt(code, here.path)
  const places = here.index === null ? 1 : Math.floor((buffer?.bytes ?? Infinity) / bytesOf(type))
  const isGuessed = here.index !== null && buffer?.sized === 'by running' && places < fewestPlaces
  if (isGuessed || places * bytesOf(type) > mostBytes || !isAllOf(code, kernel, type, same)) return []
  const { shared, block, global } = wordsOf(report.kernel.language)
  return [
    {
      does: `${combinations[here.op]} '${here.path}' in ${shared}, and once a ${block} in ${global}`,
      edits: collected(c, kernel, type, same, places),
      ...(isFloat(type) && { comparable: blocksOfFloats }),
    },
  ]
}

/** Blocks whose floats one after the other come to the same as by blocks, but for some 1e-5. */
const blocksOfFloats = 64
const isFloat = (type: string): boolean => /float|double/.test(type)
const bytesOf = (type: string): number => (/double|long|64/.test(type) ? 8 : 4)

/** Compilers of CUDA give columns that lie before the statement. */
const isOnLine = ({ text }: SourceCode, { from }: TextRange, at: number): boolean =>
  at <= from && !text.slice(at, from).includes('\n')

/** Whether every use of the path is one of these updates, all of one kind that begins at 0. */
function isAllOf(
  code: SourceCode,
  { main, body, names }: KernelText,
  type: string,
  updates: readonly Update[],
): boolean {
  const { op, path } = updates[0]! // what is mended is one
  const { bare, language } = code
  if (updates.some((u) => u.op !== op || (u.index === null) !== (updates[0]!.index === null))) return false
  if (op === 'atomicMax' && !/^u/.test(type)) return false
  const isUpdate = (at: number): boolean => updates.some((u) => u.from <= at && at < u.to)
  if (language === 'cuda')
    return (
      names.includes(path) &&
      updates.every((u) => main.from <= u.from && u.to <= main.to) &&
      usesOfName(bare, path, body).every(isUpdate)
    )
  const uses = [...bare.matchAll(new RegExp(`&\\s*${path.replace(/\W/g, '\\$&')}\\s*[[),]`, 'g'))]
  return uses.every((m) => isUpdate(m.index))
}

function collected(
  { code, report }: FixCase,
  kernel: KernelText,
  type: string,
  updates: readonly Update[],
  places: number,
): readonly Edit[] {
  const first = updates[0]! // what is mended is one
  const isCuda = code.language === 'cuda'
  const [sums, k, sum] = [`${first.path.replace(/\W/g, '_')}_sums`, 'place', 'sum'].map((n) =>
    unusedName(code.bare, n),
  ) as [string, string, string] // as many as are given
  const target = first.index === null ? first.target : `&${first.path}[${k}]`
  const { block } = report.launch
  const edits = withEntry(code, kernel, report.kernel.name, block[0] * block[1] * block[2], {
    shared: [{ of: 'block', name: sums, type, isAtomic: true, places }],
    behind: ({ rank, threads }) =>
      isCuda
        ? [
            `for (unsigned int ${k} = ${rank}; ${k} < ${places}; ${k} += ${threads}) {`,
            `  const ${type} ${sum} = ${sums}[${k}];`,
            `  if (${sum} != 0) ${first.op}(${target}, ${sum});`,
            '}',
          ]
        : [
            `for (var ${k} = ${rank}; ${k} < ${places}u; ${k} += ${threads}) {`,
            `  let ${sum} = atomicLoad(&${sums}[${k}]);`,
            `  if (${sum} != 0) { ${first.op}(&${first.path}${first.index === null ? '' : `[${k}]`}, ${sum}); }`,
            '}',
          ],
  })
  return [...edits, ...updates.map((u): Edit => ({ ...u.statement, text: inBlock(u, sums, places, k, isCuda) }))]
}

/** An update of the block's sums. A pointer says nothing of how many places there are: in CUDA those behind stay. */
function inBlock({ op, index, value, path }: Update, sums: string, places: number, k: string, isCuda: boolean): string {
  if (!isCuda || index === null) return `${op}(&${sums}[${index ?? '0'}], ${value});`
  return (
    `{ const size_t ${k} = ${index}; ` +
    `if (${k} < ${places}) ${op}(&${sums}[${k}], ${value}); else ${op}(&${path}[${k}], ${value}); }`
  )
}
