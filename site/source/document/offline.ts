// Keeps the site for use without a network, once it stands. Browsers without service workers, and pages that are served
// while they are worked on, go without.
import { root } from './root.ts'

export function keepForOffline(): void {
  if (!isBuilt || !('serviceWorker' in navigator)) return
  // a browser may forbid it, as in private windows: then there is a network
  navigator.serviceWorker.register(`${root}sw.js`).catch(() => {})
}
