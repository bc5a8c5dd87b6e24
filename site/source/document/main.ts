// A page of the guide or the reference: the bar on top. All the rest of it is there without scripts.
import 'tesela/html.css'
import '../site.css'
import { keepForOffline } from './offline.ts'
import { navigation, type Part } from './navigation.ts'

const part: Part = document.documentElement.dataset['part'] === 'guide' ? 'guide' : 'reference'
document.body.prepend(navigation(part, null))
keepForOffline()
if (document.querySelector('[data-experiment]'))
  void import('./live.ts').then(({ openExperiments }) => openExperiments())
