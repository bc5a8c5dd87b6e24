// In: the body of a C function. Out: the statements between `#pragma scop` and `#pragma endscop`, and those around
// them, of which none may do what would be lost.
import { fail } from '../../../base/index.ts'
import type { CStmt } from '../text/syntax.ts'

export interface ScopRegion {
  readonly before: readonly CStmt[]
  readonly body: readonly CStmt[]
  readonly after: readonly CStmt[]
}

/** The statements between `#pragma scop` and `#pragma endscop`, or all of them. */
export function findRegion(body: Extract<CStmt, { kind: 'block' }>): ScopRegion {
  const isPragma =
    (text: string) =>
    (s: CStmt): boolean =>
      s.kind === 'pragma' && s.text === text
  const start = body.body.findIndex(isPragma('scop')),
    end = body.body.findIndex(isPragma('endscop'))
  if (start < 0 && end < 0) return { before: [], body: body.body, after: [] }
  const lone = body.body[Math.max(start, end)]!
  if (start < 0 || end < start)
    return fail(
      'c.pragma',
      '#pragma scop and #pragma endscop do not come in a pair, in this order, in one block of the function',
      lone.at,
    )
  return { before: body.body.slice(0, start), body: body.body.slice(start + 1, end), after: body.body.slice(end + 1) }
}

/** Before the region declarations and calls may stand, which prepare data, and after it calls and `return`. */
export function refuseAround(s: CStmt, side: 'before' | 'after'): void {
  const harmless =
    s.kind === 'empty' ||
    s.kind === 'declare' ||
    (s.kind === 'return' && side === 'after') ||
    (s.kind === 'expr' && s.expr.kind === 'call')
  const what = s.kind === 'expr' && s.expr.kind === 'assign' ? 'assignment' : 'statement',
    pragma = side === 'before' ? '#pragma scop' : '#pragma endscop'
  if (!harmless)
    fail('c.outside-region', `this ${what} stands ${side} ${pragma} and would be lost`, s.at, 'move it into the region')
}
