// The studio's page. In: the address. Out: an editor that can be typed in at once, and the studio around it. The parts
// are made one after the other, so that no task of the page is long.
import 'tesela/html.css'
import '../site.css'
import { first } from 'virtual:first'
import { h } from 'tesela/html'
import { gpuNames } from 'tesela/occupancy'
import { keepForOffline } from '../document/offline.ts'
import { Explainer } from './client.ts'
import { openEditor } from './editor.ts'
import { mark } from './marks.ts'
import { stateOf, type State } from './state.ts'
import { Studio } from './studio.ts'

const { language, text, options } = first
const startState: State = {
  program: { language, text, options },
  gpu: 'h200',
  before: null,
  view: 'findings',
  heat: 'moved',
}

const breath = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** What the address holds; a GPU that is not known here is replaced. */
async function stateAtFirst(): Promise<State> {
  const state = (await stateOf(location.hash)) ?? startState
  return gpuNames().includes(state.gpu) ? state : { ...state, gpu: startState.gpu }
}

async function main(): Promise<void> {
  const start = await stateAtFirst()
  const explainer = new Explainer()
  explainer.warm()
  await breath()
  let studio: Studio | undefined
  const place = h('div', { class: 'editor' })
  const editor = openEditor(
    place,
    start.program,
    (isAnother) => studio?.changed(isAnother),
    (line) => studio?.lookAt(line),
  )
  mark('editor')
  await breath()
  studio = new Studio(start, explainer, place, editor)
  await breath()
  await studio.begin()
  keepForOffline()
}

void main()
