// In: a kernel, what a launch gives to its variables and parameters. Out: what nobody gave: each with the name to give
// it by and the operands that follow from it. The one idea: what is zero only because nobody said otherwise decides
// nothing for certain: conditions that follow from it are named as its, and hazards whose places follow from it are
// guesses.
import type { Span } from '../base/index.ts'
import { allStatements, isFloat, writtenIn, type Hazard, type Operand } from '../ir/index.ts'
import { followers, governedBy, isAccess, type DataSource } from './data-dependence.ts'
import type { SeenHazard } from './hazards/hazard-reports.ts'
import { assertionsOf, isAsserted } from './hazards/undefined-arithmetic.ts'
import { holdsIntegers, isScalarOf, scalarPlacesIn, type Sized } from './launch/buffer-sizes.ts'
import type { Subject } from './subject.ts'

/** A variable, a part of one or a parameter without contents. */
export interface Ungiven {
  /** As a flag names it. */
  readonly name: string
  readonly source: DataSource
  /** `--arg` gives it; otherwise `--buffer` does. */
  readonly isNumber: boolean
  /** It may hold integers or pointers, which are 0. */
  readonly holdsIntegers: boolean
  /** The kernel cannot change it: the host alone does. */
  readonly isOfHost: boolean
  readonly follows: (o: Operand) => boolean
  /** As `follows`, or set where a condition of it decides. */
  readonly governs: (o: Operand) => boolean
}

type Launched = Pick<Subject, 'kernel' | 'missing'>

/**
 * What no flag gives, whole or in part; of variables of which some numbers are given the others, one by one, as of all
 * uniform variables with `isSplit`.
 */
export function ungivenIn(
  { kernel, missing = [] }: Launched,
  sized: readonly Sized[],
  args: readonly string[],
  isSplit = false,
): readonly Ungiven[] {
  const written = writtenIn(kernel.body)
  const made = (one: Omit<Ungiven, 'follows' | 'governs'>): Ungiven => {
    let data: Ungiven['follows'] | undefined, control: Ungiven['governs'] | undefined
    return {
      ...one,
      follows: (o) => (data ??= followers(kernel, one.source))(o),
      governs: (o) => (control ??= governedBy(kernel, one.source))(o),
    }
  }
  const ofBuffers = sized
    .filter((s) => s.spec.fill === undefined)
    .flatMap((s) => partsOf(s, args, isSplit).map((p) => made({ ...p, isOfHost: !written.has(s.binding.resource) })))
  return [
    ...ofBuffers,
    ...missing.map((m) =>
      made({ name: m.name, source: m.source, isNumber: true, holdsIntegers: !isFloat(m.type), isOfHost: true }),
    ),
  ]
}

function partsOf(
  s: Sized,
  args: readonly string[],
  isSplit: boolean,
): readonly Pick<Ungiven, 'name' | 'source' | 'isNumber' | 'holdsIntegers'>[] {
  const { name, resource, space } = s.binding
  if (!args.some((a) => isScalarOf(s, a)) && !(isSplit && space === 'constant'))
    return [{ name, source: { resource }, isNumber: false, holdsIntegers: holdsIntegers(s) }]
  const places = scalarPlacesIn(s),
    open = places.filter((p) => !args.some((a) => p.name === a || p.name.endsWith(`.${a}`))),
    isNamed = (from: number, to: number): boolean => places.some((p) => from < p.to && p.at < to)
  return [
    ...open.map((p) => ({
      name: p.name,
      isNumber: true,
      source: { resource, holds: (from: number, to: number) => from < p.to && p.at < to },
      holdsIntegers: !isFloat(p.type),
    })),
    // arrays and matrices, which have no names
    {
      name,
      isNumber: false,
      source: { resource, holds: (from, to) => !isNamed(from, to) },
      holdsIntegers: holdsIntegers(s),
    },
  ]
}

/** A memory statement by what hazards say of it: its place and the resource. */
const placeKey = (at: Span | undefined, resource: string): string => `${at?.line}:${at?.column}:${resource}`

/** Hazards with what decides where they go and nobody gave, or the texture of no given size. */
export function withGuesses(
  hazards: readonly Hazard[],
  subject: Launched & Pick<Subject, 'language' | 'measured'>,
  sized: readonly Sized[],
  args: readonly string[],
): readonly SeenHazard[] {
  return withGuessedPlaces(withoutGuessedOperands(hazards, subject, sized, args), subject, sized, args)
}

/** Without divisions and shifts by what follows from contents that nobody gave, which are 0 for no other reason. */
function withoutGuessedOperands(
  hazards: readonly Hazard[],
  subject: Launched & Pick<Subject, 'language'>,
  sized: readonly Sized[],
  args: readonly string[],
): readonly Hazard[] {
  if (!hazards.some(isAsserted)) return hazards
  const open = ungivenIn(subject, sized, args).filter((u) => u.holdsIntegers),
    guessed = [...assertionsOf(subject.kernel, subject.language === 'cuda').values()].filter(({ operand }) =>
      open.some((u) => u.governs(operand)),
    )
  return hazards.filter((h) => !guessed.some((g) => g.kind === h.kind && g.of.at === h.at))
}

function withGuessedPlaces(
  hazards: readonly Hazard[],
  subject: Launched & Pick<Subject, 'language' | 'measured'>,
  sized: readonly Sized[],
  args: readonly string[],
): readonly SeenHazard[] {
  if (!hazards.some(isOfAddresses)) return hazards
  const isLed = ({ source: { resource = '' } }: Ungiven): boolean => subject.measured.has(resource),
    accesses = allStatements(subject.kernel.body).filter(isAccess),
    open = ungivenIn(subject, sized, args)
      .filter((u) => u.holdsIntegers && (u.isOfHost || (subject.language === 'cuda' && isLed(u))))
      .map(({ name, follows }) => ({
        name,
        places: new Set(
          accesses.filter((s) => follows(s.address.index)).map((s) => placeKey(s.at, s.address.resource)),
        ),
      }))
  return hazards.map((h): SeenHazard => {
    const texture = h.kind === 'out-of-bounds' && sized.find((s) => s.how === 'by the grid' && isOf(s, h))
    if (texture) return { ...h, unsized: texture.binding.name }
    const resource = h.resource ?? '',
      keys = [h.at, h.other].map((at) => placeKey(at, resource)),
      guessed = isOfAddresses(h) ? open.filter((o) => keys.some((k) => o.places.has(k))).map((o) => o.name) : []
    return guessed.length > 0 ? { ...h, guessed } : h
  })
}

const isOf = ({ binding }: Sized, { resource }: Hazard): boolean => binding.resource === resource

const isOfAddresses = ({ kind }: Hazard): boolean => kind === 'race' || kind === 'out-of-bounds'
