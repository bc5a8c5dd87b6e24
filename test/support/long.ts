// How much of a random campaign runs: a part in `npm test`, all of it in `npm run test:long`.

/** Whether this is `npm run test:long`. */
export const isLong = process.env['TESELA_LONG'] === '1'

/** So many seeds of `all`: a quarter, unless everything is wanted. */
export const seedsOf = (all: number): number => (isLong ? all : Math.ceil(all / 4))
