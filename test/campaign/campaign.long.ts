// Random C functions from fixed seeds (`bench/campaign.ts` runs as many as one likes): some, and those that
// were once wrong or refused for no reason.
import { test } from 'vitest'
import { compareFunctions, seedsFrom } from './compare.ts'

test('100 random functions', () => compareFunctions(seedsFrom(1, 100)))

test('functions that were wrong once', () =>
  compareFunctions([
    214056, // a negation lost in a remainder
    220011, // an access that was left out of a length, as the end of its loop is a choice
    302128, // a statement without its guard that reads what has a value under the guard alone
    316171, // a quotient by a negative literal in a minimum
    330119, // what holds in one branch taken to hold in the other
    338052, // a negation in one of two branches, of which a compiler makes a maximum
    340178, // as 330119
    342034, // a sum of negations in a maximum
    408004, // siblings that are dealt out alike over all of their loops only
    800158, // a host function that asks whether (unsigned)c > 255u (on a device and for negative c alone)
    844282, // as 800158
    814158, // a local in two copies of a loop, one of them widened
    822018, // an array that only loops in another layout read
    826241, // as 822018
    828227, // the last value of a local that nothing reads
    862168, // a host function that asks for a sine
    806099, // a byte that C computes in int (CUDA)
    830060, // a local that a branch of the host leaves and a later loop reads
    1042020, // a local with the name of what it becomes elsewhere
    2000065, // loops of another layout on a device that has no room for their kernel
    2000299, // an output that loops in another layout leave as it is
    2100014, // a sum that cancels, of which nothing was allowed to be lost
    7018133, // a search that breaks off, from an offset that may be negative
    7102183, // as 7018133
    7136127, // a product in parentheses before an & that is no cast of an address
    7152030, // a host that launches something in the last of 2^31 iterations only
    9001044, // a complement without a sign in a subscript
    9201304, // as 9001044
    906296, // scratch memory of loops as written, of which one is empty
  ]))

test('100 random functions whose counters are no int', () => compareFunctions(seedsFrom(10_000_300, 100)))
