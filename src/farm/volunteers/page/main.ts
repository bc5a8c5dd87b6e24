// The page that measures for a farm, in a browser. In: the token behind # in its address. Out: answers for trials. The
// one idea: it does nothing before it is started, one trial at a time then, and says all of it in plain words. It holds
// no compiler: kernels come as text, data from a seed.
import { freshArrays, openWebGpuMeasurer, type Measurer } from '../../../tune/index.ts'
import type { GivenTrial, Welcome } from '../desk.ts'

const parameters = new URLSearchParams(location.hash.slice(1))
const token = parameters.get('token') ?? ''
const at = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T // of the page's own text
const say = (id: string, text: string): void => {
  at(id).textContent = text
}

/** A refusal after which nothing is asked again. */
class Ended extends Error {}

async function ask(path: string, body: object, signal?: AbortSignal): Promise<unknown> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    referrerPolicy: 'no-referrer',
    ...(signal && { signal }),
  })
  const answer = (await response.json()) as { readonly error?: string } // as the server writes it
  if (response.ok) return answer
  const sentence = answer.error ?? response.statusText
  throw response.status === 401 || response.status === 403 ? new Ended(sentence) : new Error(sentence)
}

async function adapterNames(): Promise<Readonly<Record<string, string>> | undefined> {
  const adapter = await (navigator.gpu as GPU | undefined)?.requestAdapter({ powerPreference: 'high-performance' })
  if (!adapter) return undefined
  const { vendor, architecture, device, description } = adapter.info
  return { vendor, architecture, device, description }
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

/** Trials of one device object: what it keeps of them goes with it. */
const trialsOfDevice = 20
/** For so long the server may wait for a trial before it answers that there is none. */
const waitMs = 10_000

class Volunteer {
  private readonly about: object
  private readonly welcome: Welcome
  private stopped = new AbortController()
  private device: Measurer | null = null
  private done = 0
  private refused = 0

  constructor(adapter: object, welcome: Welcome) {
    this.about = { adapter, browser: navigator.userAgent }
    this.welcome = welcome
  }

  stop(): void {
    this.stopped.abort()
  }

  /** One trial after the other until it is stopped. */
  async run(): Promise<void> {
    this.stopped = new AbortController()
    const { signal } = this.stopped
    while (!signal.aborted) {
      try {
        say('said', 'Waiting for something to measure …')
        const { trial } = (await ask('/v1/trials/lease', { ...this.about, waitMs }, signal)) as {
          readonly trial: GivenTrial | null
        }
        if (trial) await this.one(trial)
      } catch (error) {
        if (signal.aborted) break
        if (error instanceof Ended) throw error
        say('said', `The farm does not answer (${(error as Error).message}); trying again …`)
        await pause(2000)
      }
    }
    this.device?.close()
    this.device = null
    say('said', 'Stopped.')
  }

  private async one(given: GivenTrial): Promise<void> {
    const { name } = given.trial.plan
    say('said', `Measuring ${name} …`)
    const renewing = setInterval(
      () => void ask('/v1/trials/renew', { trial: given.key }).catch(() => undefined),
      this.welcome.leaseMs / 3,
    )
    try {
      const measured = await this.measured(given)
      await ask('/v1/trials/answer', { ...this.about, trial: given.key, ...measured })
      say('done', `${++this.done}`)
      note('failed' in measured ? `${name}: this GPU could not run it` : `${name}: ${duration(measured.ns)}`)
    } catch (error) {
      if (error instanceof Ended) throw error
      say('refused', `${++this.refused}`)
      note(`${name}: ${(error as Error).message}`)
    } finally {
      clearInterval(renewing)
    }
  }

  private async measured({ trial, check }: GivenTrial) {
    if (this.done % trialsOfDevice === 0) {
      this.device?.close()
      this.device = null
    }
    try {
      this.device ??= await openWebGpuMeasurer()
      const { plan, values, seed } = trial
      const data = freshArrays(plan.arrays, values, seed)
      const results = await this.device.run(plan, values, data)
      const timing = await this.device.time(plan, values, data)
      return { ...timing, values: check.map(({ array, index }) => Number(results[array]?.[index])) }
    } catch (error) {
      this.device?.close()
      this.device = null
      return { failed: String((error as Error).message).slice(0, 500) || 'it failed without a reason' }
    }
  }
}

const duration = (ns: number): string =>
  ns < 1e6 ? `${(ns / 1e3).toPrecision(3)} µs` : `${(ns / 1e6).toPrecision(3)} ms`
/** Notes that stay on the page. */
const mostNotes = 8

function note(text: string): void {
  const line = document.createElement('li')
  line.textContent = text
  at('log').prepend(line)
  while (at('log').children.length > mostNotes) at('log').lastElementChild?.remove()
}

async function main(): Promise<void> {
  if (token === '') throw new Ended('This address has no token: open the whole link that you were given.')
  const adapter = await adapterNames()
  if (!adapter)
    throw new Ended(
      'This browser has no WebGPU here, so it cannot measure. WebGPU needs https, or this machine itself.',
    )
  say('gpu', Object.values(adapter).filter(Boolean).join(' '))
  const welcome = (await ask('/v1/trials/welcome', { adapter })) as Welcome // as the server writes it
  say('kind', welcome.device)
  say('kind-again', welcome.device)
  say('name', welcome.name)
  say('until', new Date(welcome.expires).toLocaleString())
  say(
    'alone',
    welcome.own
      ? 'This link is for a browser of the farm’s owner: its times count without those of others.'
      : `It decides nothing alone: a time counts when ${welcome.needed} browsers with links of their own agree on it.`,
  )
  const volunteer = new Volunteer(adapter, welcome)
  const button = at<HTMLButtonElement>('start')
  let running = false
  const press = (): void => {
    if (running) return volunteer.stop()
    running = true
    button.textContent = 'Stop'
    void volunteer.run().then(
      () => {
        running = false
        button.textContent = 'Start measuring'
      },
      (error: unknown) => over(error),
    )
  }
  button.addEventListener('click', press)
  button.disabled = false
  say('said', 'Ready.')
  if (parameters.has('start')) press()
}

function over(error: unknown): void {
  at<HTMLButtonElement>('start').disabled = true
  say('said', (error as Error).message)
  at('said').className = 'error'
}

main().catch(over)
