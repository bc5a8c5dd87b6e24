import {unpack,modelled,bitsOf} from './src/kernels/texts.ts'
for (const m of ['matmul','map']) { const {recipe}=await import(`./src/kernels/made/${m}.made.js`)
 const t0=process.cpuUsage().user; const t=unpack(recipe); const t1=process.cpuUsage().user; console.log(m, recipe.packed.length*.75, recipe.count,'unpack ms', (t1-t0)/1e3)
if(m=='matmul'){unpack(recipe); const t1=process.cpuUsage().user; unpack(recipe); console.log('again',(process.cpuUsage().user-t1)/1e3)} }
