// In: which statements of which launches ran while a plan was proved. Out: sentences on what never did: variants that no
// size chose, kernels that were never launched, branches that no thread took. The one idea: a proof by runs says nothing
// of what did not run, and has to say of what (branch coverage; Myers, "The Art of Software Testing", 1979).
import { allStatements, type Kernel, type Plan, type Stmt } from '../../ir/index.ts'

type Variant = Plan['variants'][number]

/** What ran of one plan. Statements are numbered in the order of `allStatements`, the same for kernels that are alike. */
export class Coverage {
  private readonly ran = new Map<Variant, Map<number, Set<number>>>()

  /** Notes that `variant` was chosen, and which statements its launches ran, by position of the launch. */
  note(variant: Variant, launches: ReadonlyMap<number, ReadonlySet<number>>): void {
    const known = this.ran.get(variant) ?? new Map<number, Set<number>>()
    this.ran.set(variant, known)
    for (const [position, statements] of launches) {
      const before = known.get(position) ?? new Set<number>()
      for (const s of statements) before.add(s)
      known.set(position, before)
    }
  }

  /** What never ran of `plan`, whose launches ran as `kernelsOf` says. */
  unreached(plan: Plan, kernelsOf: (variant: Variant) => readonly Kernel[]): readonly string[] {
    // Those behind the one that takes all sizes are for devices with less, of which `plansIn` makes a plan of its own.
    const last = plan.variants.findIndex((v) => v.when === null)
    return plan.variants.slice(0, last < 0 ? undefined : last + 1).flatMap((variant, v) => {
      const known = this.ran.get(variant)
      if (variant.launches.length === 0) return []
      if (!known) return [`variant ${v + 1} of ${plan.variants.length} was chosen at none of the sizes that were tried`]
      return kernelsOf(variant).flatMap((kernel, position) => {
        const ran = known.get(position)
        return ran
          ? branchesNotTaken(kernel, ran)
          : [`${kernel.name} was launched at none of the sizes that were tried`]
      })
    })
  }
}

/** Numbers of the statements of `kernel` for which `isExecuted` holds. */
export const executedIn = (kernel: Kernel, isExecuted: (s: Stmt) => boolean): ReadonlySet<number> =>
  new Set(allStatements(kernel.body).flatMap((s, i) => (isExecuted(s) ? [i] : [])))

/** A sentence for each branch that nobody took where its condition was asked. */
function branchesNotTaken(kernel: Kernel, ran: ReadonlySet<number>): readonly string[] {
  const all = allStatements(kernel.body),
    numbers = new Map(all.map((s, i) => [s, i]))
  const hasRun = (s: Stmt): boolean => ran.has(numbers.get(s)!) // all are numbered
  const said = all.flatMap((s) => {
    if (s.kind !== 'if' || !hasRun(s)) return []
    return [s.then, s.else]
      .filter((arm) => arm.length > 0 && !allStatements(arm).some(hasRun))
      .map((arm) => `${kernel.name}: no thread took a branch that ${armWords(arm)}`)
  })
  return [...new Set(said)]
}

/** What a branch does, as one finds it in the source. */
function armWords(arm: readonly Stmt[]): string {
  const inside = allStatements(arm),
    effect = inside.find((s) => s.kind === 'store' || s.kind === 'atomic'),
    load = inside.find((s) => s.kind === 'load'),
    shown = effect ?? load
  const line = (shown ?? inside.find((s) => s.at))?.at?.line
  const what =
    shown && 'address' in shown ? `${effect ? 'writes' : 'reads'} ${shown.address.resource}` : 'computes a value'
  return line === undefined ? what : `${what}, of line ${line}`
}
