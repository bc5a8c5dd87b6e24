// In: names of a kernel, its parameters and resources. Out: legal, distinct names in the target's text. The one idea: a
// name stays as it is unless the target forbids it or uses it itself; then an underscore is appended until it fits.

/** A name like `name` that is not taken; it is taken afterwards. */
export function legalName(name: string, taken: Set<string>): string {
  let legal = name.replace(/^_+/, '') || 'v'
  if (/^\d/.test(legal)) legal = `v${legal}`
  while (taken.has(legal)) legal += '_'
  taken.add(legal)
  return legal
}

/** Legal names for all, by old name, in order. */
export function legalNames(names: readonly string[], taken: Set<string>): ReadonlyMap<string, string> {
  return new Map(names.map((name) => [name, legalName(name, taken)]))
}
