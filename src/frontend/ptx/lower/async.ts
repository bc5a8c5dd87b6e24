// In: barrier objects (`mbarrier`), bulk copies and asynchronous tensor-core instructions. Out: KernelIR that runs the
// block in step. The one idea: threads of a block meet at barriers anyway, so waiting for a phase is a barrier of the
// threads that wait, arriving is an instruction that does nothing, and a copy is done when it is issued. Who waits on
// one side of a branch for who arrives on the other runs after or before it as a whole, which a note says.
import { constOf, type Operand as Value } from '../../../ir/index.ts'
import type { Accesses } from './access.ts'
import { addressesOf } from '../provenance.ts'
import type { Instruction } from '../text/syntax.ts'
import type { PtxValues } from './values.ts'
import { tick } from './warp.ts'

const waits =
  'waiting on a barrier object is a barrier of the threads that wait, and asynchronous copies are done where ' +
  'they are issued: threads that hand data to each other over both sides of a branch run one side after the other'

/** Lowers an asynchronous instruction; false when it is none. */
export function asyncInstruction(v: PtxValues, accesses: Accesses, s: Instruction): boolean {
  const { name, mods } = s.opcode
  switch (name) {
    case 'mbarrier':
      barrierObject(v, s)
      return true
    case 'wgmma':
      return tensor(v, s)
    case 'cp':
      if (mods[0] === 'async' && mods[1] === 'mbarrier') {
        tick(v)
        return true
      }
      return mods[0] === 'async' && mods[1] === 'bulk' ? bulk(v, accesses, s) : false
    default:
      return false
  }
}

function barrierObject(v: PtxValues, s: Instruction): void {
  const [what] = s.opcode.mods
  const [dst] = s.operands
  switch (what) {
    case 'init':
    case 'inval':
    case 'expect_tx':
    case 'complete_tx':
      return tick(v)
    case 'arrive':
    case 'arrive_drop':
      if (dst?.kind === 'register') v.put(dst, 'b64', v.op('copy', [constOf('u64', 0n)]))
      else tick(v)
      return
    case 'pending_count':
      v.put(dst, 'b32', v.op('copy', [v.u32(0)]))
      return
    case 'test_wait':
    case 'try_wait':
      v.notes.add(waits)
      v.push({ kind: 'barrier', scope: 'block', some: true })
      v.put(dst, 'pred', v.op('copy', [constOf('bool', 1)]))
      return
    default:
      v.refuse(`${s.opcode.text.slice(0, 80)} cannot be analysed`)
  }
}

/** Products on matrices in shared memory are counted; their sums stay as they were. */
function tensor(v: PtxValues, s: Instruction): boolean {
  const [what] = s.opcode.mods
  if (what === 'mma_async')
    v.notes.add(
      `${s.opcode.text.slice(0, 60)}, a product of a warp group on tensor cores, is counted and not computed: ` +
        `its sums stay as they were`,
    )
  tick(v)
  return true
}

/** Bytes that bulk copies move at a time: their sizes are multiples of it (PTX ISA, cp.async.bulk). */
const unit = 16

/**
 * A bulk copy in pieces of 16 bytes by the thread that issues it; copies that a tensor map describes are only counted.
 */
function bulk(v: PtxValues, accesses: Accesses, s: Instruction): boolean {
  const { mods } = s.opcode
  if (mods.includes('tensor')) {
    v.notes.add(
      `${s.opcode.text.slice(0, 60)}: what a tensor map describes is counted as one instruction and not copied`,
    )
    tick(v)
    return true
  }
  if (mods[2] === 'commit_group' || mods[2] === 'wait_group' || mods[2] === 'prefetch') {
    tick(v)
    return true
  }
  const [to, from] = addressesOf(s)
  if (!to || !from) return v.refuse(`${s.opcode.text.slice(0, 80)} cannot be analysed`)
  const size = v.get(s.operands[2], 'u32')
  tick(v)
  const [target, source] = [accesses.address(to), accesses.address(from)]
  const at = v.reg('u32', 'copied')
  const moved = (base: Value): Value =>
    v.op('add', [base, base.type === 'u64' ? v.convert(at, 'u64') : v.bits(at, base.type)])
  v.push({ kind: 'op', op: 'copy', dst: at, args: [v.u32(0)], free: true })
  const body = v
    .collect(() => {
      v.push({
        kind: 'if',
        condition: v.op('ge', [at, size]),
        then: [{ kind: 'break', free: true }],
        else: [],
        free: true,
      })
      const words = Array.from({ length: unit / 4 }, () => v.temp('u32'))
      v.push({ kind: 'load', dst: words, type: 'u32', address: { ...source, index: moved(source.index) } })
      v.push({ kind: 'store', src: words, type: 'u32', address: { ...target, index: moved(target.index) } })
      v.op('add', [at, v.u32(unit)], 'u32', at)
    })
    .map((x) => ({ ...x, free: true as const }))
  v.push({ kind: 'loop', body, continuing: [], free: true })
  return true
}
