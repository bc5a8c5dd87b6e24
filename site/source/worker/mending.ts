// A kernel mended. In: WGSL with the flags of its launch. Out: the changes that mend it, each run and compared, the
// text with all of them, and the flags of the launch that it needs. Loaded when it is first asked for.
import { explainFixes } from 'tesela/explain'
import { asked } from './kernel.ts'
import { withGrid } from './launch-flags.ts'
import type { Mended, Program } from './protocol.ts'

/** Throws a `DiagnosticError`. */
export function mended({ text, options }: Program, name: string): Mended {
  const [source, launch, how] = asked(text, 'wgsl', options, name)
  const found = explainFixes(source, launch, how)
  const changed = found.launch.grid.some((n, i) => n !== (launch.grid[i] ?? 1))
  return {
    changes: found.fixes.map(({ mends, at, does, before, after, gone, outputs }) => ({
      mends,
      line: at?.line ?? null,
      does,
      before,
      after,
      gone,
      same: outputs ? outputs.values - outputs.different : null,
      different: outputs?.different ?? null,
    })),
    text: found.text,
    options: changed ? withGrid(options, found.launch.grid) : options,
  }
}
