// The tool that strips types from emitted wrappers, loaded only where wrappers run.

/** JavaScript (CommonJS) of a TypeScript module. */
export async function typeStripper(): Promise<(text: string) => string> {
  const { transformSync } = await import('esbuild')
  return (text) => transformSync(text, { loader: 'ts', format: 'cjs' }).code
}
