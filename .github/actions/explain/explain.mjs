// Explains kernels for a pull request. In: flags and files. Out: one SARIF log with a run for each kernel, and a comment
// in Markdown with the worst findings, hazards first. The one idea: every kernel is one call of the command line, which
// knows launch files and host code; a kernel that it cannot run is said in the comment and fails nothing.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

const most = 10
const { gpu, sarif, comment, files } = argumentsOf(process.argv.slice(2))
const logs = files.map((file) => ({ file, ...explained(file) }))
const first = logs.find((l) => l.log)?.log
const empty = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0' }
writeFileSync(sarif, JSON.stringify({ ...(first ?? empty), runs: logs.flatMap((l) => l.log?.runs ?? []) }, null, 2))
writeFileSync(comment, commentOf(logs))

function argumentsOf(args) {
  const found = { gpu: 'h200', sarif: 'tesela.sarif', comment: 'tesela-comment.md', files: [] }
  for (let i = 0; i < args.length; i++) {
    if (args[i].startsWith('--')) found[args[i].slice(2)] = args[++i]
    else found.files.push(args[i])
  }
  return found
}

/** The log of a file, or why there is none. `TESELA` names another command line than the installed one. */
function explained(file) {
  const own = process.env.TESELA
  const args = ['explain', file, '--gpu', gpu, '--sarif']
  const [command, before] = own ? [process.execPath, [own]] : ['npx', ['tesela']]
  const { status, stdout, stderr } = spawnSync(command, [...before, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 })
  if (status === 0) return { log: JSON.parse(stdout) }
  return { why: (stderr ?? '').split('\n').find((line) => line.trim() !== '') ?? `tesela ended with ${status}` }
}

function commentOf(all) {
  const results = all.flatMap((l) => (l.log?.runs ?? []).flatMap((run) => run.results))
  const shown = results.filter((r) => r.ruleId !== 'SOLBottleneck' && (r.level !== 'note' || gainOf(r) >= 1.02))
  const worst = [...shown].sort((a, b) => rank(b) - rank(a))
  const rows = worst.slice(0, most).map((r) => `| ${[placeOf(r), r.ruleId, gainText(r), cell(r.message.text)].join(' | ')} |`)
  const refused = all.filter((l) => l.why !== undefined).map((l) => `- \`${l.file}\`: ${cell(l.why)}`)
  return [
    `### Kernels on ${gpu}`,
    '',
    ...(rows.length > 0
      ? ['| where | what | gain | |', '| --- | --- | --- | --- |', ...rows]
      : [`Nothing to say of ${all.length - refused.length} kernels.`]),
    ...(worst.length > most ? ['', `${worst.length - most} more are in the SARIF log.`] : []),
    ...(refused.length > 0 ? ['', 'Not explained:', ...refused] : []),
    '',
  ].join('\n')
}

function gainOf(r) {
  return r.properties.scope === 'global' ? (r.properties.speedup ?? 1) : 1
}

function rank(r) {
  return (r.level === 'error' ? 1e6 : 0) + gainOf(r)
}

function gainText(r) {
  return r.level === 'error' ? 'wrong' : `${gainOf(r).toFixed(2)}×`
}

function placeOf(r) {
  const { artifactLocation, region } = r.locations[0].physicalLocation
  return `\`${decodeURIComponent(artifactLocation.uri)}:${region.startLine}\``
}

/** Text that stands in a cell of a table. */
function cell(text) {
  return text.replace(/\s+/g, ' ').replace(/\|/g, '\\|').slice(0, 400)
}
