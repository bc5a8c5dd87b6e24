// In: processor seconds that something may take. Out: a clock that says how much of them is gone. The one idea: what
// the user waits for is the processor's time and not the wall's, which other programs share; where nobody tells it, the
// wall's has to do. It stops nothing by itself.
interface Usage {
  /** Microseconds. */
  readonly user: number
  readonly system: number
}

const { process: host } = globalThis as { readonly process?: { readonly cpuUsage?: () => Usage } }

function processorSeconds(): number {
  if (!host?.cpuUsage) return performance.now() / 1e3
  const { user, system } = host.cpuUsage()
  return (user + system) / 1e6
}

export class Effort {
  private readonly start = processorSeconds()

  /** `limit`: seconds from now on; none when absent. */
  constructor(private readonly limit = Infinity) {}

  /** Whether this share of the limit, from 0 to 1, is gone. */
  isGone(share = 1): boolean {
    return this.limit < Infinity && processorSeconds() - this.start >= share * this.limit
  }
}
