// The page of `optimize`: the ladder from plain to fast, any two of its steps side by side, and the code that was
// emitted beside the source.
import { h, section } from '../components/dom.ts'
import {
  filePane,
  ladderChart,
  ladderComparison,
  ladderTable,
  optimizeFigures,
  optimizeSubtitle,
  proofIntro,
  proofList,
  scheduleList,
} from '../components/optimized.ts'
import { passStepper } from '../components/passes.ts'
import type { OptimizePage } from './data.ts'
import { header, mount, pageData } from './shell.ts'

const page = pageData<OptimizePage>()
const { files, passes } = page

mount(
  header(page.name, optimizeSubtitle(page), optimizeFigures(page)),
  section('From plain to fast', 'Each step adds one idea to the one before.', ladderChart(page), ladderTable(page)),
  section('Before and after', null, ladderComparison(page)),
  section(
    'Code',
    'The source and everything that was emitted, two files at a time.',
    h('div', { class: 'two even' }, filePane(files, 0), filePane(files, Math.min(1, files.length - 1))),
  ),
  passes.length === 0
    ? null
    : section('Pass by pass', 'What each pass changed in the program, in order.', passStepper(passes, page.texts)),
  section('Schedule', null, scheduleList(page.kernels)),
  section('Proof', proofIntro, proofList(page.proof)),
)
