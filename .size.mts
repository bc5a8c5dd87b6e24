import { gzipSync, deflateRawSync } from 'node:zlib'
import { build } from 'esbuild'
import { readFileSync } from 'node:fs'
const root='/work/wt/breadth'
async function size(src, plugins=[]) { const r = await build({ stdin:{contents:src,resolveDir:root}, bundle:true, format:'esm', platform:'browser', minify:true, write:false, metafile:true, logLevel:'error'}); return r }
const r = await size(`import { connect, tensor, matmul } from './src/kernels/index.ts'; globalThis.used = [connect, tensor, matmul]`)
const t = r.outputFiles[0].text
console.log(t.length, gzipSync(t,{level:9}).length)
const o = Object.values(r.metafile.outputs)[0].inputs
for (const [k,v] of Object.entries(o).sort((a,b)=>b[1].bytesInOutput-a[1].bytesInOutput)) console.log(v.bytesInOutput,k)
for (const m of ['matmul','map']) {
  const {recipe} = await import(root+'/src/kernels/made/'+m+'.made.js')
  const {unpack} = await import(root+'/src/kernels/texts.ts')
  const g=(x)=>gzipSync(x,{level:9}).length
  const texts=unpack(recipe)
  console.log(m, 'words',g(recipe.words), 'packed', recipe.packed.length, g(recipe.packed), 'plans', JSON.stringify(recipe.plans).length, g(JSON.stringify(recipe.plans)), 'texts', texts.length, texts.join('').length, g(texts.join('\0')))
}
