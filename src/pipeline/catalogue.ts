// The list of all passes and translations, in the order in which a program meets them. In: the declared pipelines. Out:
// sections for `tesela optimize --passes`, for `docs/passes.md` and for the test that runs all examples. The one idea:
// the list is computed from the pipelines themselves, so it cannot name a pass that does not run.
import { cLowering, fileToC, functionToC, settle, tailCalls } from '../frontend/c/index.ts'
import { ptxToKernel } from '../frontend/ptx/index.ts'
import { wgslToKernel } from '../frontend/wgsl/index.ts'
import {
  passesIn,
  type Alternatives,
  type AnyPass,
  type AnyTranslation,
  type Route,
  type Sequence,
  type Vocabulary,
} from '../ir/index.ts'
import { loopNormalization, loopOnHost, toNests } from '../regions/index.ts'
import { scheduleSteps, toKernel } from '../schedule/index.ts'
import { analysis } from './analysis.ts'

/** A pipeline with what is known of each step, the ways of one search, or the steps that schedules are made of. */
export type CatalogueSection = SequenceSection | AlternativesSection | Vocabulary

export interface SequenceSection {
  readonly kind: 'sequence'
  readonly name: string
  readonly summary: string
  readonly steps: readonly { readonly pass: AnyPass | AnyTranslation; readonly because?: string }[]
}

export interface AlternativesSection extends Alternatives<string> {
  readonly kind: 'alternatives'
}

/** The passes of a step; what stands for another pass is that one. */
const declaredIn = (step: Route<unknown, unknown>['steps'][number]['step']): readonly (AnyPass | AnyTranslation)[] =>
  step.kind === 'translation' ? [step] : passesIn(step).map((pass) => pass.declared ?? pass)

const sectionOf = <A, B, C>(s: Sequence<A, C> | Route<A, B, C>): SequenceSection => ({
  kind: 'sequence',
  name: s.name,
  summary: s.summary,
  // what steps are of is no matter here
  steps: (s.steps as Route<unknown, unknown>['steps']).flatMap(({ step, because }) =>
    declaredIn(step).map((pass, i) => ({ pass, ...(because !== undefined && i === 0 && { because }) })),
  ),
})

/** What C goes through, from its text to kernels. */
const fromC: readonly CatalogueSection[] = [
  sectionOf(fileToC),
  {
    kind: 'sequence',
    name: 'c-library',
    summary: 'what is done once functions of the C library that the file calls stand beside its own',
    steps: [{ pass: tailCalls as AnyPass }],
  },
  sectionOf(functionToC),
  {
    kind: 'sequence',
    name: 'c-to-loops',
    summary: 'from C to LoopIR; once more where sizes that nothing says turn out too large',
    steps: [{ pass: cLowering as AnyTranslation }],
  },
  sectionOf(settle),
  sectionOf(analysis),
  sectionOf(loopNormalization),
  sectionOf(toNests),
  loopOnHost,
  scheduleSteps,
  sectionOf(toKernel),
]

/** All ways: of C, and of kernels that are explained. */
export const passCatalogue: readonly CatalogueSection[] = [...fromC, sectionOf(wgslToKernel), sectionOf(ptxToKernel)]

const passesOf = (sections: readonly CatalogueSection[]): readonly (AnyPass | AnyTranslation)[] => [
  ...new Set(sections.flatMap((s) => (s.kind === 'sequence' ? s.steps.map((x) => x.pass) : []))),
]

/** Each pass once, in the order of the sections. */
export const allPasses = passesOf(passCatalogue)

/** Those that a program in C may meet. */
export const passesOfC = passesOf(fromC)
