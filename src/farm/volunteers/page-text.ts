// The files of the page that measures for a farm. In: nothing. Out: contents by path, and the policy that they are sent
// with. The one idea: the page is the same for everyone; what it may is in the token behind # in its address, which no
// request for a page carries.
import { texts } from '../made/volunteer.texts.js'

export interface PageFile {
  readonly type: string
  readonly text: string
}

const made = (name: string): string => {
  const text = texts[name]
  if (text === undefined) throw new Error(`the package was built without ${name}`)
  return text
}

/** Scripts and style of this server alone, nobody's frame, no other addresses. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const pageFiles: Readonly<Record<string, () => PageFile>> = {
  '/measure': () => ({ type: 'text/html', text: html }),
  '/measure.js': () => ({ type: 'text/javascript', text: made('script') }),
  '/measure.css': () => ({ type: 'text/css', text: made('style') }),
}

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/measure.css">
<title>Measure for a farm · Tesela</title>
</head>
<body>
<main>
<h1>Measure for a farm</h1>
<p>Somebody who makes GPU programs faster with Tesela asks how long some of them take on your GPU.</p>
<div class="two">
<section>
<h2>While it is started, this page may</h2>
<ul>
<li>run GPU programs that the farm sends, one at a time; your browser checks each of them first</li>
<li>tell the farm how long each took, a few numbers of its result, and what your GPU and your browser call
themselves</li>
<li>keep your GPU busy, so that other things may be slow meanwhile</li>
</ul>
</section>
<section>
<h2>It may not</h2>
<ul>
<li>read anything of yours: no files, no other pages, no cookies</li>
<li>see the farm’s programs, only the text of the kernel that it measures, or what others measured</li>
<li>enter times for another kind of GPU than <b id="kind">the link’s</b></li>
</ul>
</section>
</div>
<p id="alone"></p>
<div class="controls">
<button id="start" type="button" disabled>Start measuring</button>
<span id="said" role="status">One moment …</span>
</div>
<dl>
<dt>Your GPU</dt><dd id="gpu">not known yet</dd>
<dt>The link is for</dt><dd id="kind-again"></dd>
<dt>Its name</dt><dd id="name"></dd>
<dt>Good until</dt><dd id="until"></dd>
<dt>Measured</dt><dd id="done">0</dd>
<dt>Not taken</dt><dd id="refused">0</dd>
</dl>
<ol id="log" aria-label="What was measured last"></ol>
<p>Close the page, or press Stop, whenever you like: what was under way is given to others.</p>
<noscript><p>Measuring needs scripts.</p></noscript>
</main>
<script type="module" src="/measure.js"></script>
</body>
</html>
`
