// In: how many bytes a machine needs. Out: a WebAssembly memory of zeros. The one idea: engines take long to make one and to
// find out that nobody has it any more, so that small ones are cleared and used again.

const pageBytes = 65536

/** Most pages of a memory that is used again, and most that wait for it: to clear more would take longer than to make one. */
const mostPages = 64, mostSpare = 8
const spare = new Map<number, WebAssembly.Memory[]>()

/** A memory of at least so many bytes, all 0. Throws a `RangeError` when there is none to be had. */
export function memoryOf(bytes: number): WebAssembly.Memory {
  const needed = Math.ceil(bytes / pageBytes), pages = needed > mostPages ? needed : 2 ** Math.ceil(Math.log2(Math.max(1, needed)))
  const known = spare.get(pages)?.pop()
  if (known) new Uint8Array(known.buffer).fill(0)
  return known ?? new WebAssembly.Memory({ initial: pages, maximum: pages })
}

/** Takes back what nobody uses any more. */
export function release(memory: WebAssembly.Memory): void {
  const pages = memory.buffer.byteLength / pageBytes, waiting = spare.get(pages) ?? []
  if (pages > mostPages || waiting.length >= mostSpare) return
  spare.set(pages, waiting)
  waiting.push(memory)
}
