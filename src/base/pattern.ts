// In: regular expressions. Out: one that matches where any of them does. The one idea: a long pattern reads as a list
// of its parts, each with its name or comment. The marks let bundlers leave out patterns that nobody uses.

/** The pattern of `parts`, tried in order; groups count through all of them. Flags of the parts are lost. */
/* @__NO_SIDE_EFFECTS__ */
export function anyOf(parts: readonly RegExp[], flags = ''): RegExp {
  return new RegExp(parts.map((p) => p.source).join('|'), flags)
}

/** Matches one of `names` as a whole; they are divided by blanks, and each may be a pattern itself. */
/* @__NO_SIDE_EFFECTS__ */
export function oneOfNames(names: string): RegExp {
  return new RegExp(`^(${names.trim().split(/\s+/).join('|')})$`)
}
