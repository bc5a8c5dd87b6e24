export { emitWgsl, type EmitOptions } from './wgsl.ts'
export { emitCuda } from './cuda.ts'
export { emitPlan, type EmitPlanOptions } from './plan.ts'
export { emitTypeScript } from './typescript.ts'
