// The version in package.json, which stands beside `dist/` and above `src/cli/`.
import { readFileSync } from 'node:fs'

/** `0.1.0`. */
export function version(): string {
  for (const path of ['../package.json', '../../package.json']) {
    try {
      const found = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as {
        name?: string
        version?: string
      } // checked below
      if (found.name === 'tesela' && found.version) return found.version
    } catch {}
  }
  return 'unknown'
}
