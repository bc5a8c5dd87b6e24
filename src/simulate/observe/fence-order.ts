// In: atomics before which a thread passed a fence of the device, in the order in which blocks run. Out: whether what
// another block did is ordered before this one. The one idea: release and acquire (C++ memory model; FastTrack,
// Flanagan and Freund 2009, by blocks instead of threads): who updates a place after its fence passes on what its block
// has done, and who updates the place later has it. The last block of a sum takes its parts so.

interface Place {
  /** Of each block that updated the place: how many updates were before its last one, and the interval of that. */
  readonly by: Map<number, { readonly position: number; readonly until: number }>
  count: number
}

export class FenceOrder {
  private readonly places = new Map<string, Place>()
  /** Updates of each place that this block has seen. */
  private readonly seen = new Map<string, number>()

  begin(): void {
    this.seen.clear()
  }

  restart(): void {
    this.places.clear()
    this.seen.clear()
  }

  /** An update of `key` by `block` behind a fence; intervals rise with time. */
  update(key: string, block: number, interval: number): void {
    const place = this.places.get(key) ?? { by: new Map(), count: 0 }
    this.places.set(key, place)
    this.seen.set(key, place.count)
    place.by.set(block, { position: place.count++, until: interval })
  }

  /** Whether what `other` did in `interval` comes before what this block does now. */
  orders(other: number, interval: number): boolean {
    for (const [key, count] of this.seen) {
      const update = this.places.get(key)?.by.get(other)
      if (update && update.position < count && interval <= update.until) return true
    }
    return false
  }
}
