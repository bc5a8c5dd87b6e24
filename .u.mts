import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
const g=(x:string)=>gzipSync(x,{level:9}).length
const mk=async(loader:any,ext:string[]=[])=>{const r=await build({stdin:{contents:`import { connect, tensor, matmul } from './src/kernels/index.ts'; globalThis.used = [connect, tensor, matmul]`,resolveDir:process.cwd()},bundle:true,format:'esm',platform:'browser',minify:true,write:false,metafile:true,plugins:[{name:'x',setup(b){ if(loader)b.onLoad({filter:/made\.js$/},async(a)=>({contents:loader(await import(a.path)),loader:'js'})); for(const e of ext) b.onResolve({filter:new RegExp('/'+e+'\\.ts$')},()=>({external:true,path:'x'}))}}]}); 
return r}
const full=await mk(null); console.log('full',g(full.outputFiles[0]!.text))
if(process.argv[2]){
const none=g((await mk(()=>'export const recipe={}')).outputFiles[0]!.text)
console.log('no recipes', none)
for (const e of ['core','expression','matmul','tensor','fuse','map','texts','adapt','choose','pool','open','recipe','fate']) console.log(e, none-g((await mk(()=>'export const recipe={}',[e])).outputFiles[0]!.text))
for (const [k,v] of Object.entries(Object.values(full.metafile!.outputs)[0]!.inputs)) console.log(v.bytesInOutput,k)}
