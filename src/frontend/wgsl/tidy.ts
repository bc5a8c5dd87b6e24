import type { Kernel } from '../../ir/index.ts'
export function tidy(k: Kernel): Kernel { return k }
