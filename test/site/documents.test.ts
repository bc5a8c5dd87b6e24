// The documents as pages: every link of every page leads somewhere that is there, pictures too; the search finds.
import { expect, test } from 'vitest'
import { posix } from 'node:path'
import { root } from '../cli/run.ts'
import { experiments } from '../../src/study/index.ts'
import { readSite } from '../../site/build/documents.ts'
import { rendered } from '../../site/build/markdown.ts'
import { search } from '../../site/source/document/search.ts'

const site = readSite(root)
const anchors = new Map(site.pages.map((p) => [p.document.address, new Set(p.content.headings.map((h) => h.id))]))

test('links between pages lead to pages and headings that are there', () => {
  const broken: string[] = []
  let links = 0
  for (const { document, content } of site.pages)
    for (const [, href = ''] of content.html.matchAll(/<a href="([^"]*)"/g)) {
      if (/^[a-z]+:/.test(href)) continue
      links++
      const [path = '', hash] = href.split('#')
      const target = path === '' ? document.address : posix.normalize(posix.join(posix.dirname(document.address), path))
      if (target === 'index.html') continue
      const there = anchors.get(target)
      if (!there || (hash !== undefined && !there.has(hash))) broken.push(`${document.address}: ${href}`)
    }
  expect(links).toBeGreaterThan(40)
  expect(broken).toEqual([])
})

test('every chapter of the guide has a page, in the order of its list', () => {
  const guide = site.pages.filter((p) => p.document.part === 'guide').map((p) => p.document.address)
  expect(guide.slice(0, 3)).toEqual(['guide/index.html', 'guide/coalescing.html', 'guide/layouts.html'])
})

const places = {
  page: (path: string) => (path === 'docs/b.md' ? 'b.html' : null),
  picture: (path: string) => `pictures/${path}`,
  example: (id: string, flags: string) => (id === 'wgsl/a' ? `studio#${id}|${flags}` : null),
}

test.each([
  ['[b](b.md#there)', '<a href="b.html#there">b</a>'],
  ['[src](../src/index.ts)', '<p>src</p>'],
  ['![p](study/p.svg)', '<img src="pictures/docs/study/p.svg" alt="p" loading="lazy">'],
  ['## A `b` & c', '<h2 id="a-b--c">A <code>b</code> &amp; c</h2>'],
  [
    '```\n$ npx tesela explain examples/wgsl/a.wgsl --override n=3 --gpu h200\n<b>\n```',
    'studio#wgsl/a|--override n=3',
  ],
  ['```\n<script>\n```', '&#60;script&#62;'],
  [
    '```\n$ npx tesela study stride --gpu gt200,h200 --plot time,moved\n```',
    '<div data-experiment="stride" data-plots="time,moved" data-gpu="gt200" data-label=',
  ],
  [
    'Guess.\n\n<!-- experiment tile-size --plot time -->\n\nMore.',
    '<div data-experiment="tile-size" data-plots="time"></div>',
  ],
  ['<!-- a remark -->', '<!-- a remark -->'],
])('%s', (markdown, part) => {
  expect(rendered('docs/a.md', markdown, places).html).toContain(part)
})

test.each([
  ['bank conflicts', /conflict|Layouts/i],
  ['gemm', /gemm\.c/],
  ['command line', /The command line/],
])('the search for %s finds it first or nearly so', (query, title) => {
  const found = search(site.search, query)
  expect(found.length).toBeGreaterThan(0)
  expect(found.slice(0, 4).map((f) => f.title)).toContainEqual(expect.stringMatching(title))
})

test('sections of one name in one page are found once', () => {
  const found = search(site.search, 'bank conflicts'),
    names = found.map((f) => `${f.page}: ${f.title}`)
  expect(found.length).toBeGreaterThan(3)
  expect(new Set(names).size).toBe(names.length)
})

test('what a page asks for as an experiment is one', () => {
  const asked = site.pages.flatMap((p) => [...p.content.html.matchAll(/data-experiment="([^"]*)"/g)].map((m) => m[1]))
  expect(asked.length).toBeGreaterThan(experiments.length + 9) // all of them on a page of their own, one a chapter
  expect(asked.filter((name) => !experiments.some((e) => e.name === name))).toEqual([])
  const chapters = site.pages.filter((p) => p.document.part === 'guide' && p.document.path.endsWith('.md')).slice(1)
  const without = chapters.filter((p) => !/<div data-experiment=(?![^>]*data-label)/.test(p.content.html))
  expect(without.map((p) => p.document.path)).toEqual([])
})

test('a word that is nowhere finds nothing', () => {
  expect(search(site.search, 'xyzzy plugh')).toEqual([])
})
