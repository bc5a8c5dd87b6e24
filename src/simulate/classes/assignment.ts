// In: a kernel and registers of interest. Out: those of them that may be read before they are written. The one idea:
// definite assignment (as in Java's chapter 16) over structured control flow; a list that never ends normally assigns
// everything to whoever comes after it.
import { definesOf, usesOf, type Kernel, type Stmt } from '../../ir/index.ts'

type Assigned = ReadonlySet<number>
/** Null: control never gets there. */
type State = Assigned | null

interface Around {
  breaks: State
  continues: State
}

const both = (a: State, b: State): State => {
  if (!a || !b) return a ?? b
  return new Set([...a].filter((x) => b.has(x)))
}

/** Registers that some path reads without having written them: they hold 0 there. */
export function maybeUnassigned(kernel: Pick<Kernel, 'body'>, wanted: Assigned): Assigned {
  const found = new Set<number>()
  const walk = (list: readonly Stmt[], before: Assigned, around: Around | null): State => {
    let state: State = before
    for (const s of list) {
      if (!state) return null
      for (const u of usesOf(s)) if (u.kind === 'reg' && wanted.has(u.id) && !state.has(u.id)) found.add(u.id)
      state = after(s, state, around)
    }
    return state
  }
  const after = (s: Stmt, state: Assigned, around: Around | null): State => {
    switch (s.kind) {
      case 'if':
        return both(walk(s.then, state, around), walk(s.else, state, around))
      case 'loop': {
        const own: Around = { breaks: null, continues: null }
        const ended = both(walk(s.body, state, own), own.continues)
        if (ended) walk(s.continuing, ended, own)
        return own.breaks
      }
      case 'matrix':
        return walk(s.means, state, around)
      case 'break':
        if (around) around.breaks = both(around.breaks, state)
        return null
      case 'continue':
        if (around) around.continues = both(around.continues, state)
        return null
      case 'return':
        return null
      case 'op':
      case 'builtin':
      case 'load':
      case 'store':
      case 'atomic':
      case 'subgroup':
      case 'barrier': {
        const own = definesOf(s).filter((r) => wanted.has(r.id) && !state.has(r.id))
        return own.length === 0 ? state : new Set([...state, ...own.map((r) => r.id)])
      }
    }
  }
  walk(kernel.body, new Set(), null)
  return found
}
