// Experiments on a page of the guide: each place that asks for one gets it, those in a closed list when it is opened.
import { h } from 'tesela/html'
import { experiments } from 'virtual:experiments'
import { LiveExperiment } from './experiment.ts'

function fill(place: HTMLElement, { experiment, plots = '', gpu = 'h200' }: DOMStringMap): void {
  const outline = experiments.find((e) => e.name === experiment)
  if (!outline || place.querySelector('.experiment')) return
  place.append(new LiveExperiment(outline, { plots: plots.split(','), gpu }).element)
}

/** A line that opens what waits behind it. */
function closed(label: string): HTMLDetailsElement {
  return h('details', {}, h('summary', {}, label))
}

/** An address that names an experiment of the list opens it. */
function openNamed(): void {
  const named = document.getElementById(location.hash.slice(1))
  if (named instanceof HTMLDetailsElement) named.open = true
}

export function openExperiments(): void {
  for (const place of document.querySelectorAll<HTMLElement>('[data-experiment]')) {
    const { label } = place.dataset
    const own = label === undefined ? null : closed(label)
    if (own) place.append(own)
    const list = own ?? place.closest('details')
    if (list) list.addEventListener('toggle', () => list.open && fill(own ?? place, place.dataset))
    else fill(place, place.dataset)
  }
  openNamed()
  addEventListener('hashchange', openNamed)
}
