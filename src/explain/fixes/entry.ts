// A kernel's statements as a function that a new entry calls, so that something can follow them that all threads of a
// block come to, also those that leave the kernel early. In: the kernel, what both share, and what follows. Out: edits.
// The one idea: WGSL declares what is shared for the module, CUDA in the entry, which passes it on; all else is alike.
import {
  closing,
  functionNamed,
  headOf,
  splitTop,
  unusedName,
  type Edit,
  type Item,
  type SourceCode,
  type TextBlock,
} from './source-text.ts'

/** What the kernel's function and its entry share. */
export type SharedVariable =
  | {
      /** One for a block, 0 when the kernel begins. */
      readonly of: 'block'
      readonly name: string
      readonly type: string
      readonly isAtomic: boolean
      /** Elements of an array; null for a variable. */
      readonly places: number | null
    }
  | {
      /** One for a thread. */
      readonly of: 'thread'
      readonly name: string
      readonly type: string
      readonly first: string | null
    }

/** What the entry does behind the kernel's statements and a barrier. */
export interface EntryNames {
  /** The number of the thread in its block. */
  readonly rank: string
  /** Threads of a block. */
  readonly threads: string
  readonly barrier: string
}

export interface Entry {
  readonly shared: readonly SharedVariable[]
  readonly behind: (names: EntryNames) => readonly string[]
}

/** The kernel's own parts; null where its text is no such function. */
export interface KernelText {
  readonly main: Item
  readonly body: TextBlock
  /** Places of the bracket that opens its parameters. */
  readonly open: number
  readonly parameters: readonly string[]
  /** Their names, in order. */
  readonly names: readonly string[]
}

export function kernelText(code: SourceCode, name: string): KernelText | null {
  const main = functionNamed(code, name)
  const body = main?.blocks.at(-1)
  if (!main || !body) return null
  const head = headOf(code, main)
  const named = new RegExp(`\\b${name.replace(/\W/g, '\\$&')}\\s*(?=\\()`).exec(head)
  if (!named || /\btemplate\b/.test(head)) return null
  const open = main.from + named.index + named[0].length
  const parameters = splitTop(code.bare, open + 1, closing(code.bare, open) - 1).map(({ from, to }) =>
    code.text.slice(from, to).trim(),
  )
  const names = parameters.map((p) =>
    code.language === 'wgsl' ? nameInWgsl(p) : (/([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)*$/.exec(p)?.[1] ?? ''),
  )
  return names.includes('') ? null : { main, body, open, parameters, names }
}

const withoutAttributes = (parameter: string): string => parameter.replace(/@\w+\s*(?:\([^)]*\))?\s*/g, '')
const nameInWgsl = (parameter: string): string => /^\w+/.exec(withoutAttributes(parameter))?.[0] ?? ''

/** The kernel becomes `<name>_work`, and an entry of its name does what `entry` says behind it. */
export function withEntry(
  code: SourceCode,
  kernel: KernelText,
  name: string,
  threads: number,
  entry: Entry,
): readonly Edit[] {
  const { main, body } = kernel
  const work = unusedName(code.bare, `${name}_work`)
  const { head, declared, text } =
    code.language === 'wgsl' ? wgslEntry(code, kernel, work, threads, entry) : cudaEntry(code, kernel, work, entry)
  return [
    { from: main.from, to: body.from, text: `${declared}${head} ` },
    { from: main.to, to: main.to, text: `\n\n${text}` },
  ]
}

interface EntryText {
  readonly declared: string
  /** Of the kernel's function. */
  readonly head: string
  readonly text: string
}

function wgslEntry(
  { bare, text }: SourceCode,
  { main, open, parameters, names }: KernelText,
  work: string,
  threads: number,
  { shared, behind }: Entry,
): EntryText {
  const given = parameters.findIndex((p) => /local_invocation_index/.test(p))
  const rank = given >= 0 ? names[given]! : unusedName(bare, 'rank')
  const all = given >= 0 ? parameters : [...parameters, `@builtin(local_invocation_index) ${rank}: u32`]
  const declared = shared.map((v) => {
    if (v.of === 'thread') return `var<private> ${v.name}: ${v.type}${v.first === null ? '' : ` = ${v.first}`};\n`
    const element = v.isAtomic ? `atomic<${v.type}>` : v.type
    return `var<workgroup> ${v.name}: ${v.places === null ? element : `array<${element}, ${v.places}>`};\n`
  })
  const barrier = 'workgroupBarrier();'
  const lines = [`${work}(${names.join(', ')});`, barrier, ...behind({ rank, threads: `${threads}u`, barrier })]
  return {
    declared: `${declared.join('')}\n`,
    head: `fn ${work}(${parameters.map(withoutAttributes).join(', ')})`,
    text: `${text.slice(main.from, open)}(${all.join(', ')}) {\n${indented(lines)}}`,
  }
}

function cudaEntry(
  { bare, text }: SourceCode,
  { main, body, parameters, names }: KernelText,
  work: string,
  { shared, behind }: Entry,
): EntryText {
  const [rank, threads] = ['rank', 'threads'].map((n) => unusedName(bare, n)) as [string, string] // as many as given
  const barrier = '__syncthreads();'
  const passed = shared.map((v) =>
    v.of === 'block' && v.places !== null ? `${v.type} *${v.name}` : `${v.type} &${v.name}`,
  )
  const ofBlock = shared.flatMap((v) => (v.of === 'block' ? [v] : []))
  const lines = [
    `const unsigned int ${rank} = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);`,
    `const unsigned int ${threads} = blockDim.x * blockDim.y * blockDim.z;`,
    ...shared.map((v) => {
      if (v.of === 'thread') return `${v.type} ${v.name}${v.first === null ? '' : ` = ${v.first}`};`
      return `__shared__ ${v.type} ${v.name}${v.places === null ? '' : `[${v.places}]`};`
    }),
    ...ofBlock.map((v) =>
      v.places === null
        ? `if (${rank} == 0) ${v.name} = 0;`
        : `for (unsigned int i = ${rank}; i < ${v.places}; i += ${threads}) ${v.name}[i] = 0;`,
    ),
    barrier,
    `${work}(${[...names, ...shared.map((v) => v.name)].join(', ')});`,
    barrier,
    ...behind({ rank, threads, barrier }),
  ]
  return {
    declared: '',
    head: `static __device__ __forceinline__ void ${work}(${[...parameters, ...passed].join(', ')})`,
    text: `${text.slice(main.from, body.from)}{\n${indented(lines)}}`,
  }
}

const indented = (lines: readonly string[]): string => lines.map((line) => `  ${line}\n`).join('')
