// In: a kernel. Out: of an operand, a text that is equal for two operands only where all threads of a launch, or of a
// block, have one value there. The one idea: what is computed once, from constants, parameters and memory that nothing
// writes, is the same whenever it is computed (a uniform, loop-invariant value); the text is the computation.
import {
  allStatements,
  definesOf,
  writtenIn,
  type Address,
  type Builtin,
  type Kernel,
  type Operand,
  type Reg,
  type Stmt,
} from '../../ir/index.ts'

const ofLaunch: ReadonlySet<Builtin> = new Set([
  'blockDim.x',
  'blockDim.y',
  'blockDim.z',
  'gridDim.x',
  'gridDim.y',
  'gridDim.z',
  'warpSize',
])
const ofBlock: ReadonlySet<Builtin> = new Set(['blockIdx.x', 'blockIdx.y', 'blockIdx.z'])

/** Computations that are followed from one to the next. */
const mostDepth = 24

export class CommonValues {
  private readonly definitions = new Map<number, Stmt | null>()
  private readonly fixed: ReadonlySet<string>
  private readonly known = new Map<string, string | null>()
  /** Computations by their texts, so that a text names its parts and does not hold them. */
  private readonly names = new Map<string, string>()

  constructor({ body, resources }: Pick<Kernel, 'body' | 'resources'>) {
    const written = writtenIn(body)
    for (const s of allStatements(body))
      for (const { id } of definesOf(s)) this.definitions.set(id, this.definitions.has(id) ? null : s)
    this.fixed = new Set(
      resources
        .filter((r) => (r.space === 'global' || r.space === 'constant') && !written.has(r.name))
        .map((r) => r.name),
    )
  }

  /** `within`: whose threads have one value. Null where that is not known. */
  of(x: Operand, within: 'launch' | 'block', depth = 0): string | null {
    if (x.kind === 'const') return `${x.type}:${x.value}`
    if (x.kind === 'param') return `$${x.name}`
    const made = this.definitions.get(x.id)
    if (!made || depth > mostDepth) return null
    const key = `${within} ${x.id}`,
      known = this.known.get(key)
    if (known !== undefined) return known
    const found = this.computed(made, x, within, depth)
    this.known.set(key, found)
    return found
  }

  private computed(made: Stmt, x: Reg, within: 'launch' | 'block', depth: number): string | null {
    const of = (o: Operand): string | null => this.of(o, within, depth + 1)
    switch (made.kind) {
      case 'op': {
        const args = made.args.map(of)
        if (args.includes(null)) return null
        if (made.op === 'copy') return args[0]! // it has one
        return this.named(`${made.op}:${made.dst.type}(${args.join()})`)
      }
      case 'builtin':
        return ofLaunch.has(made.name) || (within === 'block' && ofBlock.has(made.name)) ? made.name : null
      case 'load': {
        const place = this.fixed.has(made.address.resource) ? this.placeOf(made.address, of) : null
        return place && this.named(`${made.type} ${place} ${made.dst.findIndex((d) => d.id === x.id)}`)
      }
      default:
        return null
    }
  }

  private named(computation: string): string {
    const known = this.names.get(computation) ?? `#${this.names.size}`
    this.names.set(computation, known)
    return known
  }

  private placeOf({ resource, index, stride, offset }: Address, of: (o: Operand) => string | null): string | null {
    const at = of(index)
    return at && `${resource}[${at}*${stride}+${offset}]`
  }
}
