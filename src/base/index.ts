export * from './span.ts'
export * from './diagnostic.ts'
export * from './random.ts'
export * from './same.ts'
