// In: operations as data. Out: TypeScript modules that need no compiler, one for each operation, and an index. The one
// idea: a module is types, texts of kernels and data; the library runs it. Nothing has an effect when it is loaded, so
// that bundlers keep what is used only.
import { fail } from '../base/index.ts'
import { camel, pascalCase, template } from '../emit/index.ts'
import {
  hostWords,
  sizesToGive,
  type CompileReport,
  type HostValue,
  type OperationArray,
  type OperationData,
} from '../kernels/index.ts'

export interface ModuleSource {
  readonly data: OperationData
  readonly report: CompileReport
}

export interface ModuleOptions {
  /** The C file's name, for headers. */
  readonly file: string
  /** What modules import the library from; `tesela/kernels` when absent. */
  readonly runtime?: string
}

/** Files by name, the index last. Throws a `DiagnosticError` where two would have one name. */
export function operationModules(
  operations: readonly ModuleSource[],
  options: ModuleOptions,
): Readonly<Record<string, string>> {
  const names = operations.map((o) => camel(o.data.name))
  names.forEach((name, i) => {
    if (name === 'index' || reserved.has(name) || names.indexOf(name) < i)
      fail(
        'build.name',
        `a function ${operations[i]!.data.name} would be a module ${name}, which ` +
          `${names.indexOf(name) < i ? 'another is, too' : 'has a meaning of its own'}`,
        undefined,
        'rename the function',
      )
  })
  return {
    ...Object.fromEntries(operations.map((o, i) => [`${names[i]}.ts`, moduleText(o, options)])),
    'index.ts': [
      `// Operations made by Tesela from ${options.file}. Not written by hand: change that and build again.`,
      ...names.map(
        (n) => `export { ${n}, type ${pascalCase(n)}Arguments, type ${pascalCase(n)}Results } from './${n}.js'`,
      ),
      '',
    ].join('\n'),
  }
}

const reserved: ReadonlySet<string> = new Set(
  (
    'break case catch class const continue debugger default delete do else enum export extends false finally for ' +
    'function if import in instanceof new null return super switch this throw true try typeof var void while with ' +
    'yield let static await async arguments eval operation Operation Tensor kernels'
  ).split(' '),
)

function moduleText({ data, report }: ModuleSource, { file, runtime = 'tesela/kernels' }: ModuleOptions): string {
  const name = camel(data.name),
    own = pascalCase(name),
    { texts, ...rest } = data
  const visible = data.arrays.filter((a) => a.role !== 'temp')
  return [
    `// Made by Tesela from ${data.name} of ${file}. Not written by hand: change that and build again.`,
    ...reportLines(report).map((l) => `// ${l}`),
    `import { operation, type Operation, type Tensor } from '${runtime}'`,
    '',
    `export interface ${own}Arguments {`,
    ...visible.filter((a) => a.role !== 'out').flatMap(tensorLines),
    ...data.scalars.map((s) => `  readonly ${s.name}: number`),
    ...sizesToGive(data).flatMap((n) => ['  /** No shape says it. */', `  readonly ${n}: number`]),
    '}',
    '',
    `export interface ${own}Results {`,
    ...visible.filter((a) => a.role !== 'in').flatMap(tensorLines),
    '}',
    '',
    ...texts.map((t, i) => `const kernel${i} = /* wgsl */ \`${template(t)}\`\n`),
    `/** ${callWords(name, data)} */`,
    `export const ${name}: Operation<${own}Arguments, ${own}Results> = /* @__PURE__ */ operation({`,
    ...Object.entries(rest).map(([key, value]) => `  ${key}: ${JSON.stringify(value)},`),
    `  texts: [${texts.map((_, i) => `kernel${i}`).join(', ')}],`,
    '})',
    '',
  ].join('\n')
}

function tensorLines(a: OperationArray): readonly string[] {
  const shape = a.shape.map((e: HostValue) => hostWords(e)).join(', ')
  return [
    `  /** [${shape}]${a.isOpenEnded ? ' or more' : ''}${a.role === 'inout' ? ', changed' : ''} */`,
    `  readonly ${a.name}: Tensor<'${a.type}'>`,
  ]
}

function callWords(name: string, data: OperationData): string {
  const visible = data.arrays.filter((a) => a.role !== 'temp')
  const takes = [
    ...visible.filter((a) => a.role !== 'out').map((a) => a.name),
    ...data.scalars.map((s) => s.name),
    ...sizesToGive(data),
  ]
  const gives = visible.filter((a) => a.role !== 'in').map((a) => a.name)
  return `\`const { ${gives.join(', ')} } = ${name}({ ${takes.join(', ')} })\``
}

function reportLines(r: CompileReport): readonly string[] {
  const planned = sizeWords(r.planned)
  return [
    `Proved against the C in float64 at ${r.verified.sizes.map(sizeWords).join('; ') || 'its own size'}:`,
    `largest relative error ${r.verified.maxRelativeError.toExponential(1)}, ` +
      `${r.verified.bound.toExponential(1)} allowed.`,
    `On ${r.gpu}${planned === '' ? '' : ` at ${planned}`}: ${timeWords(r.predictedNs)} predicted, and no schedule ` +
      `takes less than ${timeWords(r.boundNs)}.`,
  ]
}

const sizeWords = (sizes: Readonly<Record<string, number>>): string =>
  Object.entries(sizes)
    .map(([name, n]) => `${name} = ${n}`)
    .join(', ')

/** `31.7 µs`. */
export const timeWords = (ns: number): string =>
  ns < 1e6 ? `${(ns / 1e3).toPrecision(3)} µs` : `${(ns / 1e6).toPrecision(3)} ms`
