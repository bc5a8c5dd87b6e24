declare module 'virtual:examples' {
  export const examples: readonly import('../build/examples.ts').Example[]
}
declare module 'virtual:first' {
  export const first: import('../build/examples.ts').Example
}
declare module 'virtual:experiments' {
  export const experiments: readonly import('../build/experiments.ts').Outline[]
}
declare module '*.css'
declare module 'tesela/html.css'
declare module '*?url' {
  const address: string
  export default address
}
/** The page is built, not served by Vite while people work on it. */
declare const isBuilt: boolean
