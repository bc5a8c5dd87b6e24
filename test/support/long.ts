// How much of a long list or of a random campaign runs: a part in `npm test`, all of it in `npm run test:long`.

/** Whether this is `npm run test:long`. */
export const isLong = process.env['TESELA_LONG'] === '1'

/** So many seeds of `all`: a quarter, unless everything is wanted. */
export const seedsOf = (all: number): number => (isLong ? all : Math.ceil(all / 4))

/** The first, the last and every third element of `all` between them; everything in `npm run test:long`. */
export const someOf = <const T extends readonly unknown[]>(all: T): T =>
  // a list of the same kind of elements
  isLong ? all : (all.filter((_, i) => i % 3 === 0 || i === all.length - 1) as unknown as T)
