// KernelIR as a representation that passes rewrite and that translations make.
import type { Kernel } from '../kernel/kernel.ts'
import { printKernel } from '../kernel/text-kernel.ts'
import { verifyKernel } from '../kernel/verify-kernel.ts'
import type { Representation } from './pass.ts'

export const kernelIR: Representation<Kernel> = {
  name: 'KernelIR',
  print: printKernel,
  verify: verifyKernel,
}
