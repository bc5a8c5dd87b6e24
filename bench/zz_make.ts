import { writeFileSync } from 'node:fs'
import { prepare, recipesOf } from '../tools/kernels.ts'
await prepare()
const lay = { nn: { TA: '0', TB: '0' }, tn: { TA: '1', TB: '0' } }
const base = { lanesI: 8, lanesJ: 4, vector: 4, pad: 4, prefetch: 1 }
const out: any = {}
const prod: any = {}
const T = (bm: number, bn: number, tm: number, tn: number, bk: number, buffers: number, squares = 0, lanesI = 8, lanesJ = 4) => ({ ...base, bm, bn, tm, tn, bk, buffers, unrollK: bk, lanesI, lanesJ, ...(squares && { squares: 1 }) })
const name = (p: any) => `${p.bm}x${p.bn}_${p.tm}x${p.tn}_k${p.bk}_b${p.buffers}_l${p.lanesI}${p.squares ? '_sq' : ''}`
const tall = [T(64, 64, 8, 8, 16, 1), T(128, 64, 8, 8, 16, 1), T(128, 64, 8, 8, 16, 2), T(128, 64, 8, 8, 8, 2), T(256, 64, 16, 8, 16, 1), T(256, 64, 16, 8, 16, 1, 1), T(256, 64, 16, 8, 8, 2), T(256, 64, 8, 8, 16, 1), T(256, 64, 8, 8, 16, 1, 1), T(128, 64, 16, 8, 16, 1), T(128, 64, 8, 8, 32, 1), T(256, 64, 16, 8, 16, 2, 0), T(256, 64, 8, 16, 16, 1), T(256, 64, 16, 8, 16, 1, 0, 4, 8)]
const wide = [T(64, 128, 8, 8, 8, 2), T(64, 128, 8, 8, 16, 1), T(64, 128, 8, 8, 16, 2), T(64, 256, 8, 16, 16, 1), T(64, 256, 8, 16, 16, 1, 1), T(64, 256, 8, 16, 8, 2), T(64, 256, 8, 8, 16, 1), T(64, 256, 8, 8, 16, 1, 1), T(64, 128, 8, 16, 16, 1), T(64, 64, 8, 8, 16, 1), T(64, 256, 8, 16, 16, 2), T(64, 256, 8, 16, 16, 1, 0, 4, 8)]
for (const p of tall) prod[`nn ${name(p)}`] = { file: 'split.c', defines: lay.nn, points: [{ ...p, whole: 1 }], hooks: ['C'], keep: ['exact'] }
for (const p of wide) prod[`tn ${name(p)}`] = { file: 'split.c', defines: lay.tn, points: [{ ...p, whole: 1 }], hooks: ['C'], keep: ['exact'] }
const conv: any = {}
for (const p of [T(64, 64, 8, 8, 16, 1), T(64, 128, 8, 8, 8, 2), T(64, 64, 8, 8, 8, 2), T(64, 64, 8, 8, 8, 1), T(64, 64, 8, 8, 32, 1), T(64, 96, 8, 4, 16, 1, 0, 4, 8), T(64, 96, 4, 12, 16, 1, 0, 8, 4), T(64, 96, 8, 12, 16, 1, 0, 8, 4), T(64, 192, 8, 12, 16, 1, 0, 8, 4), T(64, 192, 8, 8, 16, 1, 0, 8, 4), T(64, 192, 8, 8, 8, 2), T(64, 128, 8, 8, 16, 1), T(64, 64, 8, 4, 16, 1), T(64, 64, 4, 8, 16, 1), T(64, 192, 8, 6, 16, 1)].filter((p) => p.tn % 4 === 0)) for (const whole of [0, 1]) {
  conv[`${name(p)} w${whole}`] = { file: 'batch.c', defines: lay.nn, points: [{ ...p, whole }], hooks: ['A', 'B', 'C'], keep: ['exact'] }
}
const cols: any = {}
for (const threads of [32, 64, 128]) for (const rows of [4, 8, 16]) for (const unroll of [2, 4, 8]) for (const blocks of [8, 16, 32, 64]) if (threads * rows >= 256 && threads * rows <= 512) cols[`t${threads} r${rows} u${unroll} b${blocks}`] = { file: '../matvec/columns.c', points: [{ threads, rows, vector: 4, unroll, blocks }], hooks: ['y'], keep: ['vector', 'general'] }
for (const [threads, vector] of [[8, 4], [4, 4], [16, 2], [8, 2], [16, 4]]) for (const rows of [16, 32, 64, 128]) for (const unroll of [2, 4, 8, 16]) if (threads! * rows >= 128 && threads! * rows <= 1024) cols[`one t${threads} v${vector} r${rows} u${unroll}`] = { file: '../matvec/columns.c', points: [{ threads, rows, vector, unroll, blocks: 1 }], hooks: ['y'], keep: ['vector', 'general'] }
for (const [what, plans, min] of [['prod', prod, 0], ['conv', conv, 0], ['cols', cols, 0]] as const) {
  out[what] = {}
  for (const [key, plan] of Object.entries(plans)) {
    try { out[what][key] = (await recipesOf({ m: { p: plan as any } }, 'src/kernels/matmul'))['m'] } catch (e) { console.log(what, key, String((e as Error).message).slice(0, 150)) }
  }
  console.log(what, Object.keys(out[what]).length, performance.now())
}
writeFileSync('/work/dev/library/recipes.json', JSON.stringify(out))
