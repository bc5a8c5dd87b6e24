// A file of tests that has not ended after `seconds` is named, and ends the run: a test that computes for ever blocks
// its process, so that no time limit of its own can pass there.
import type { Reporter, TestModule, Vitest } from 'vitest/node'

export default class HangingFiles implements Reporter {
  private readonly timers = new Map<string, NodeJS.Timeout>()
  private vitest: Vitest | undefined

  constructor(private readonly options: { readonly seconds: number }) {}

  onInit(vitest: Vitest): void {
    this.vitest = vitest
  }

  onTestModuleStart({ moduleId }: TestModule): void {
    const { seconds } = this.options
    const end = (): void => {
      console.error(`${moduleId} has not ended after ${seconds} s: the run ends here`)
      process.exitCode = 1
      void this.vitest?.exit(true)
    }
    const timer = setTimeout(end, seconds * 1000)
    timer.unref()
    this.timers.set(moduleId, timer)
  }

  onTestModuleEnd({ moduleId }: TestModule): void {
    clearTimeout(this.timers.get(moduleId))
    this.timers.delete(moduleId)
  }
}
