// What `tools/texts.mjs` makes when the package is built: files as text, by name. Not kept in the repository.
declare module '*.texts.js' {
  export const texts: Readonly<Record<string, string>>
}
