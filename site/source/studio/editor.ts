// The editor. In: a text in one of three languages. Out: what people type, with heat beside it, problems and findings
// marked at their lines. Tab leaves it, so that the keyboard alone reaches all of the page.
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { setDiagnostics, type Diagnostic } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  type ViewUpdate,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { ptx } from '../languages/ptx.ts'
import { wgsl } from '../languages/wgsl.ts'
import type { Language } from '../worker/protocol.ts'
import { heat, showHeat, showMark, type Heat } from './heat.ts'

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.controlKeyword], class: 'tok-keyword' },
  { tag: [tags.typeName, tags.standard(tags.typeName)], class: 'tok-type' },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], class: 'tok-comment' },
  { tag: [tags.number, tags.bool, tags.atom, tags.string], class: 'tok-literal' },
  { tag: [tags.meta, tags.processingInstruction, tags.labelName], class: 'tok-meta' },
  { tag: tags.function(tags.variableName), class: 'tok-function' },
])

/** The grammar of C has large tables, which only C needs. */
const grammars: Readonly<Record<Language, () => Extension | Promise<Extension>>> = {
  c: async () => (await import('@codemirror/lang-cpp')).cpp(),
  wgsl: () => wgsl,
  ptx: () => ptx,
}

/** What people can type without: made in a task of its own, so that none is long. */
const comfortable = (): Extension => [
  highlightSpecialChars(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  search({ top: true }),
  syntaxHighlighting(colours),
  keymap.of(searchKeymap),
]

/** Something to say about a place in the text. */
export interface Remark {
  readonly line: number
  readonly column: number | null
  readonly level: 'error' | 'warning' | 'info'
  readonly text: string
}

export interface Editor {
  readonly view: EditorView
  readonly text: string
  set(text: string, language: Language): void
  /** Colours the text as it is in another language. */
  read(language: Language): void
  heat(of: Heat): void
  mark(line: number | null, scroll: boolean): void
  remarks(list: readonly Remark[]): void
}

/** Part of a text from which on what was put in is another text, and characters that it has at least. */
const most = 0.8,
  fewest = 30

/** Whether a text has been replaced, as by pasting another. */
function isAnother({ changes, state }: ViewUpdate): boolean {
  let longest = 0
  changes.iterChanges((_from, _to, _at, _end, put) => {
    longest = Math.max(longest, put.length)
  })
  return longest >= Math.max(fewest, most * state.doc.length)
}

/** `changed` hears of every change, and whether it made another text. */
export function openEditor(
  parent: HTMLElement,
  start: { readonly text: string; readonly language: Language },
  changed: (isAnother: boolean) => void,
  choose: (line: number) => void,
): Editor {
  const language = new Compartment()
  const comforts = new Compartment()
  let quiet = false
  let shown: Language | undefined
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: start.text,
      extensions: [
        lineNumbers(),
        heat(choose),
        history(),
        language.of([]),
        comforts.of([]),
        keymap.of([...historyKeymap, ...defaultKeymap]),
        EditorView.contentAttributes.of({ 'aria-label': 'program', spellcheck: 'false', tabindex: '0' }),
        EditorView.updateListener.of((u) => {
          if (u.docChanged && !quiet) changed(isAnother(u))
        }),
      ],
    }),
  })
  const colour = async (to: Language): Promise<void> => {
    if (shown === to) return
    shown = to
    const grammar = await grammars[to]()
    if (shown === to) view.dispatch({ effects: language.reconfigure(grammar) })
  }
  setTimeout(() => {
    view.dispatch({ effects: comforts.reconfigure(comfortable()) })
    void colour(start.language)
  })
  return {
    view,
    get text() {
      return view.state.doc.toString()
    },
    set(text, to) {
      quiet = true
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        selection: { anchor: 0 },
        scrollIntoView: true,
      })
      quiet = false
      void colour(to)
    },
    read: (to) => void colour(to),
    heat: (of) => showHeat(view, of),
    mark: (line, scroll) => showMark(view, line, scroll),
    remarks: (list) =>
      view.dispatch(
        setDiagnostics(
          view.state,
          list.flatMap((r) => diagnostic(view.state, r)),
        ),
      ),
  }
}

function diagnostic(state: EditorState, r: Remark): Diagnostic[] {
  if (r.line < 1 || r.line > state.doc.lines) return []
  const line = state.doc.line(r.line)
  const start = line.text.length - line.text.trimStart().length
  const from = Math.min(line.to, line.from + (r.column === null ? start : r.column - 1))
  return [{ from, to: Math.max(from, line.to), severity: r.level, message: r.text }]
}
