// In: how many bytes a machine needs for its tables and for the buffers of a launch. Out: a WebAssembly memory of zeros
// with room for them. The one idea: engines take long to make a memory, and longer to find out that nobody has it any
// more, so that few are made. What is used again is cleared, but for the buffers of runs that only count: they are
// large and hardly touched, so that one run after the other gets new places in one large memory.

/** Of WebAssembly memory. */
const pageBytes = 65536

/** A memory, and where buffers may begin in it; tables begin at 0. */
export interface Room {
  readonly memory: WebAssembly.Memory
  readonly from: number
}

/**
 * Most pages of a memory that is used again, and most of each size that wait for it: to clear more would take longer
 * than to make one.
 */
const mostPages = 64,
  mostSpare = 8
const spare = new Map<number, WebAssembly.Memory[]>()

/** Room for a machine of its own until `release`. Throws a `RangeError` when there is none to be had. */
export function roomOf(tables: number, buffers: number): Room {
  const needed = Math.ceil((tables + buffers) / pageBytes),
    pages = needed > mostPages ? needed : 2 ** Math.ceil(Math.log2(Math.max(1, needed)))
  const known = spare.get(pages)?.pop()
  if (known) new Uint8Array(known.buffer).fill(0)
  return { memory: known ?? new WebAssembly.Memory({ initial: pages, maximum: pages }), from: tables }
}

/** Takes back what nobody uses any more. */
export function release(memory: WebAssembly.Memory): void {
  const pages = memory.buffer.byteLength / pageBytes,
    waiting = spare.get(pages) ?? []
  if (pages > mostPages || waiting.length >= mostSpare) return
  spare.set(pages, waiting)
  waiting.push(memory)
}

/** Bytes of the large memory; runs that would take more than a quarter of it get one of their own. */
const commonBytes = 2 ** 30
interface Common {
  readonly memory: WebAssembly.Memory /** From here on nobody has written. */
  next: number
}
let common: Common | null = null

function newCommon(): Common | null {
  const pages = commonBytes / pageBytes
  try {
    return { memory: new WebAssembly.Memory({ initial: pages, maximum: pages }), next: 0 }
  } catch {
    return null
  } // a small host
}

/** Room until the next call, for a machine that writes to its buffers nowhere else. Throws as `roomOf`. */
export function passingRoomOf(tables: number, buffers: number): Room {
  if (tables + buffers > commonBytes / 4) return roomOf(tables, buffers)
  if (!common || Math.max(common.next, tables) + buffers > commonBytes) common = newCommon()
  if (!common) return roomOf(tables, buffers)
  const { memory } = common,
    from = Math.max(common.next, tables)
  new Uint8Array(memory.buffer, 0, tables).fill(0)
  common.next = from + buffers
  return { memory, from }
}
