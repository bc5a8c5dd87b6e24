// In: a flat body. Out: the same in which `grid.sync()` of cooperative groups is a barrier of all blocks. The one idea:
// the compiler writes it as an addition to a word of the grid's workspace, whose address it takes from two special
// registers, and a loop until the word's sign changes; every instruction on that address is replaced, and the next
// barrier of the block, behind the loop, becomes one of the grid. Instructions keep their places. What else is done
// with the workspace is refused by name.
import { fail } from '../../../base/index.ts'
import { ptxSpan, type FlatBody } from './inlining.ts'
import type { Instruction, PtxModule, PtxOperand } from '../text/syntax.ts'

const workspace = new Set(['%envreg1', '%envreg2'])
/** What an address is made with. */
const carries = new Set(['mov', 'cvt', 'bfi', 'or', 'shl', 'add', 'cvta', 'mad'])
/** The sign of the word has changed: nobody waits. */
const changed = 0x80000000n

export function meetAsGrid(module: PtxModule, body: FlatBody): FlatBody {
  if (!body.instructions.some(readsWorkspace)) return body
  const pointers = addressesOf(body.instructions)
  const uses = (s: Instruction): boolean => s.operands.some((o) => o.kind === 'address' && isIn(pointers, o.base))
  if (!body.instructions.some(uses)) return body
  const meetings = new Set<number>()
  const replaced = body.instructions.map((s, i) => {
    if (readsWorkspace(s)) return moved(s, 1n)
    if (!uses(s)) return s
    if (s.opcode.name === 'atom') return moved(s, 0n)
    const barrier = body.instructions.findIndex((x, at) => at > i && isBlockBarrier(x))
    if (s.opcode.name !== 'ld' || barrier < 0) return refuse(module, s)
    meetings.add(barrier)
    return moved(s, changed)
  })
  return { ...body, instructions: replaced.map((s, i) => (meetings.has(i) ? ofGrid(s) : s)) }
}

const refuse = (module: PtxModule, s: Instruction): never =>
  fail(
    'ptx.unsupported',
    `${s.opcode.text.slice(0, 80)} on the workspace of a cooperative grid cannot be analysed`,
    s.loc ?? ptxSpan(module, s.line),
    'let blocks meet by grid.sync() alone',
  )

const readsWorkspace = ({ operands }: Instruction): boolean =>
  operands.some((o) => o.kind === 'name' && workspace.has(o.name))

/** Registers that hold the workspace's address or a part of it. */
function addressesOf(instructions: readonly Instruction[]): ReadonlySet<number> {
  const found = new Set<number>()
  let before = -1
  while (found.size !== before) {
    before = found.size
    for (const s of instructions) {
      const [to, ...from] = s.operands
      const isCarried = carries.has(s.opcode.name) && from.some((o) => isIn(found, o))
      if (to && (readsWorkspace(s) || isCarried)) for (const id of registersOf(to)) found.add(id)
    }
  }
  return found
}

const registersOf = (o: PtxOperand | null): readonly number[] => {
  if (o?.kind === 'register') return [o.id]
  return o?.kind === 'vector' ? o.items.flatMap(registersOf) : []
}

const isIn = (registers: ReadonlySet<number>, o: PtxOperand | null): boolean =>
  registersOf(o).some((id) => registers.has(id))

const isBlockBarrier = ({ opcode: { name, mods } }: Instruction): boolean =>
  (name === 'bar' || name === 'barrier') && mods.includes('sync') && !mods.includes('warp')

/** The first operand gets a number instead. */
const moved = (s: Instruction, bits: bigint): Instruction => ({
  ...s,
  opcode: { text: 'mov.b32', name: 'mov', mods: ['b32'] },
  operands: [...s.operands.slice(0, 1), { kind: 'literal', bits }],
  second: null,
})

const ofGrid = (s: Instruction): Instruction => ({
  ...s,
  opcode: { ...s.opcode, mods: [...s.opcode.mods, 'grid'] },
})
