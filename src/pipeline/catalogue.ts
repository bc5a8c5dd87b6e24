// All passes that there are, in the order in which a program meets them. In: the declarations. Out: sections for
// `tesela optimize --passes`, `docs/passes.md` and the test of examples. The one idea: a list that is made from the
// pipelines themselves names no pass that does not run.
import { fileToC, functionToC, settle, tailCalls } from '../frontend/c/index.ts'
import { passesIn, type Alternatives, type AnyPass, type Sequence } from '../ir/index.ts'
import { loopNormalization, loopOnHost, toNests } from '../regions/index.ts'
import { analysis } from './analysis.ts'

/** A pipeline with what is known of each step, or the ways of one search. */
export type Section = SequenceSection | AlternativesSection

export interface SequenceSection {
  readonly kind: 'sequence'
  readonly name: string
  readonly summary: string
  readonly steps: readonly { readonly pass: AnyPass; readonly because?: string }[]
}

export interface AlternativesSection extends Alternatives<string> {
  readonly kind: 'alternatives'
}

const sectionOf = <P, C>(s: Sequence<P, C>): SequenceSection => ({
  kind: 'sequence',
  name: s.name,
  summary: s.summary,
  steps: s.steps.flatMap(({ step, because }) =>
    passesIn(step).map((pass, i) => ({
      pass: pass.declared ?? (pass as AnyPass),
      ...(because !== undefined && i === 0 && { because }),
    })),
  ),
})

export const catalogue: readonly Section[] = [
  sectionOf(fileToC),
  {
    kind: 'sequence',
    name: 'c-library',
    summary: 'what is done once functions of the C library that the file calls stand beside its own',
    steps: [{ pass: tailCalls as AnyPass }],
  },
  sectionOf(functionToC),
  sectionOf(settle),
  sectionOf(analysis),
  sectionOf(loopNormalization),
  sectionOf(toNests),
  loopOnHost,
]

/** Each pass once, in the order of the sections. */
export const allPasses: readonly AnyPass[] = [
  ...new Set(catalogue.flatMap((s) => (s.kind === 'sequence' ? s.steps.map((x) => x.pass) : []))),
]
