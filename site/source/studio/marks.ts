// When something was there, for people who measure the page (`bench/studio.ts`): marks of the User Timing API, which
// the developer tools of browsers show, too. Only the last of a name is kept.

/** `editor`: it can be typed in; `heat`: lines have their costs; `answer`: all views are of the newest text. */
export type Mark = 'editor' | 'heat' | 'answer'

export function mark(name: Mark): void {
  performance.clearMarks(name)
  performance.mark(name)
}
