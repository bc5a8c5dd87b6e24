export * from './profile.ts'
export { countGlobal, tagWavefronts } from './coalescing.ts'
export { countShared } from './banks.ts'
