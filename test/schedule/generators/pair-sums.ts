// For tests: random programs that sum over pairs: rows that all meet the same terms, with locals that terms share,
// conditions on loops and on data, several sums, what iterations hand on, starts from memory, results in place.
import { random, type Random } from '../../../src/base/index.ts'
import type { Program } from '../../../src/ir/index.ts'
import { text } from '../support.ts'

const pick = <T>(r: Random, xs: readonly T[]): T => xs[r.int(0, xs.length - 1)]!

function value(r: Random, atoms: readonly string[], depth = 2): string {
  if (depth === 0 || r.unit() < 0.2) return pick(r, atoms)
  const [a, b] = [value(r, atoms, depth - 1), value(r, atoms, depth - 1)]
  return pick(r, [`(${a} - ${b})`, `(${a} + ${b})`, `(${a} * ${b})`, `max(${a}, ${b})`])
}

/** Sums, with what they start from and where they go; some are in memory. */
interface Sum {
  readonly into: string
  readonly sign: string
  readonly start: string
  readonly end: string
}

function sumOf(r: Random, n: number, row: string): Sum {
  const sign = pick(r, ['+=', '+=', '+=', 'max=', 'min=']),
    out = `o${n}[${row}]`
  if (r.unit() < 0.3) return { into: out, sign, start: '', end: '' }
  const start = pick(r, ['0.0f', '1.0f', out, `v${row === 'i' ? '[i]' : '[0]'}`])
  return {
    into: `s${n}`,
    sign,
    start: `declare s${n}: f32[] temp private s${n} = ${start}`,
    end: pick(r, [
      `${out} = s${n}`,
      `${out} += s${n}`,
      `${out} = s${n} * 2.0f`,
      ...(row === 'i' && n === 0 && !start.startsWith('o') ? [`v[i] = s${n}`] : []),
    ]),
  }
}

/** The program of `seed`. */
export function pairsProgram(seed: number): Program {
  const r = random(seed * 6151 + 11),
    two = r.unit() < 0.25,
    row = two ? 'h, i' : 'i'
  const elements = ['x[j]', 'c[j, 0]', 'c[j, 1]', 'y[i]', 'z[i, 0]', 'x[j]', ...(two ? ['w[h]'] : ['v[i]'])]
  const sums = Array.from({ length: r.int(1, 3) }, (_, n) => sumOf(r, n, row))
  const locals = Array.from({ length: r.int(0, 3) }, (_, n) => `t${n}`),
    body: string[] = [],
    atoms = [...elements]
  for (const t of locals) {
    body.push(`declare ${t}: f32[] temp private ${t} = ${value(r, atoms)}`)
    atoms.push(t, t)
  }
  const hands = r.unit() < 0.25,
    term = (s: Sum): string => `${s.into} ${s.sign} ${value(r, atoms)}`
  const conditions = ['i != j', 'j > 2', 'j < 1', `${pick(r, atoms)} > 1.0f`, `${pick(r, atoms)} < ${pick(r, atoms)}`]
  const withLocal = (inner: string): string => {
    const name = `g${body.length}`
    return `declare ${name}: f32[] temp private ${name} = ${value(r, atoms)} ${inner} + ${name}`
  }
  const guarded = (inner: string): string =>
    r.unit() < 0.4 ? `if ${pick(r, conditions)} { ${r.unit() < 0.3 ? withLocal(inner) : inner} }` : inner
  for (const s of sums) body.push(guarded(term(s)))
  if (hands)
    body.push(
      pick(r, [
        `if ${pick(r, conditions)} { last = ${value(r, atoms)} }`,
        `last = max(last, ${pick(r, atoms)}) if last > 2.0f { last = 0.0f }`,
        `q += last last = ${pick(r, atoms)}`,
      ]),
    )
  const before = [
    ...sums.map((s) => s.start),
    ...(hands ? ['declare last: f32[] temp private last = 0.0f declare q: f32[] temp private q = 0.0f'] : []),
  ]
  const after = [...sums.map((s) => s.end), ...(hands ? [`p[${row}] = last + q`] : [])]
  const rank = (name: string, role: string): string => `array ${name}: f32[${two ? '40, n' : 'n'}] ${role} global`
  const loops =
    `${two ? 'for h in 0 .. 40 { ' : ''}for i in 0 .. n { ${before.join(' ')} for j in ` +
    `${pick(r, ['0', '0', '1'])} .. ${pick(r, ['m', 'm', 'm - 1'])} { ${body.join(' ')} } ${after.join(' ')} ` +
    `}${two ? ' }' : ''}`
  const arrays = [
    'array x: f32[m] in global',
    'array c: f32[m, 2] in global',
    'array y: f32[n] in global',
    'array z: f32[n, 3] in global',
    'array v: f32[n] inout global',
    'array w: f32[40] in global',
    ...['o0', 'o1', 'o2', 'p'].map((name) => rank(name, 'inout')),
  ]
  return text(`program pairs_${seed} { size n = 3000 min 1 size m = 3000 min 1 ${arrays.join(' ')} ${loops} }`)
}
