import { gzipSync } from 'node:zlib'
import { prepare, recipesOf, moduleText } from '../tools/kernels.ts'
import { spec } from '../src/kernels/matmul/kernel.ts'
await prepare()
const plans = spec['matmul']!
const size = async (p: any) => gzipSync(moduleText('m', (await recipesOf({ matmul: p }, 'src/kernels/matmul'))['matmul']!), { level: 9 }).length
const all = await size(plans)
console.log('all', all)
for (const k of Object.keys(plans)) { const { [k]: _, ...rest } = plans as any; console.log(k, all - await size(rest)) }
