export * from './dependences.ts'
export * from './loops.ts'
export * from './privatise.ts'
export * from './reuse.ts'
