// What a farm does, to look at. In: how many jobs are in which state, who does them. Out: metrics in Prometheus' text
// form, a page that asks for them, lines for a terminal.
import type { Invite, JobOutcome, JobState } from '../../store/index.ts'

export interface FarmState {
  readonly store: string
  readonly counts: readonly { readonly kind: string; readonly state: JobState; readonly jobs: number }[]
  /** Jobs that were given up, with the reason. */
  readonly dead: readonly JobOutcome[]
  readonly running: readonly JobOutcome[]
  readonly workers: readonly { readonly name: string; readonly secondsAgo: number }[]
  /** Links for browsers. */
  readonly invites: readonly Omit<Invite, 'key'>[]
}

const label = (value: string): string => value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')

/** The state in Prometheus' text form. */
export function metricsText({ counts, workers }: FarmState): string {
  return [
    '# HELP tesela_farm_jobs Jobs by kind and state.',
    '# TYPE tesela_farm_jobs gauge',
    ...counts.map((c) => `tesela_farm_jobs{kind="${label(c.kind)}",state="${c.state}"} ${c.jobs}`),
    '# HELP tesela_farm_workers Workers that asked for a job in the last two minutes.',
    '# TYPE tesela_farm_workers gauge',
    `tesela_farm_workers ${workers.length}`,
    '',
  ].join('\n')
}

/** The same in lines. */
export function stateLines({ store, counts, dead, running, workers, invites }: FarmState): readonly string[] {
  return [
    `${store}: ${workers.length} workers`,
    ...counts.map((c) => `  ${c.kind.padEnd(16)} ${c.state.padEnd(8)} ${c.jobs}`),
    ...running.map((j) => `  ${j.key.slice(0, 12)} ${j.kind} on ${j.worker}`),
    ...dead.map((j) => `  dead: ${j.key.slice(0, 12)} ${j.kind} after ${j.attempts} attempts: ${j.why}`),
    ...invites.map((i) => `  link ${inviteWords(i)}`),
  ]
}

/** `desk for nvidia ampere, good until 2026-01-31T00:00:00.000Z`, with what was wrong. */
export function inviteWords({ name, device, own, expires, faults, blocked }: Omit<Invite, 'key'>): string {
  const of = own ? `${name} (own)` : name
  const wrong = faults > 0 ? `, ${faults} wrong` : ''
  const end = blocked === null ? `good until ${new Date(expires).toISOString()}` : `blocked: ${blocked}`
  return `${of} for ${device}, ${end}${wrong}`
}

/** A page that shows the state. It holds no secret: the token stands behind # in its address, which no server sees. */
export const pageText = (): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Tesela farm</title>
<style>body { font: 16px system-ui; margin: 2rem } table { border-collapse: collapse } td, th { padding: .2rem .8rem;
text-align: left } td:last-child { text-align: right }</style>
<h1>Farm</h1><p id="said" role="status">Add #token=… to the address.</p>
<table><thead><tr><th>kind<th>state<th>jobs</thead><tbody id="counts"></tbody></table>
<h2>Workers</h2><ul id="workers"></ul><h2>Links for browsers</h2><ul id="invites"></ul>
<h2>Given up</h2><ul id="dead"></ul>
<script>
const token = new URLSearchParams(location.hash.slice(1)).get('token')
const item = (name, texts) => {
  const element = document.createElement(name)
  for (const text of texts) {
    const part = name === 'tr' ? document.createElement('td') : element
    part.textContent = text
    if (part !== element) element.append(part)
  }
  return element
}
async function look() {
  const answer = await fetch('/v1/state', { headers: { authorization: 'Bearer ' + token } })
  const state = await answer.json()
  document.getElementById('said').textContent = state.error ?? state.store
  if (state.error) return
  const fill = (id, items) => document.getElementById(id).replaceChildren(...items)
  fill('counts', state.counts.map((c) => item('tr', [c.kind, c.state, c.jobs])))
  fill('workers', state.workers.map((w) => item('li', [w.name])))
  const untilWhen = (i) => 'good until ' + new Date(i.expires).toISOString() + ', ' + i.faults + ' wrong answers'
  const linkWords = (i) => i.name + ' for ' + i.device + ': ' + (i.blocked ? 'blocked: ' + i.blocked : untilWhen(i))
  fill('invites', state.invites.map((i) => item('li', [linkWords(i)])))
  fill('dead', state.dead.map((j) => item('li', [j.key.slice(0, 12) + ' ' + j.kind + ': ' + j.why])))
}
if (token) setInterval(() => look().catch((e) => { document.getElementById('said').textContent = String(e) }), 1000)
</script>
`
