// The built command line, run again and again in one process, so that a run finds loaded and compiled what the run
// before it needed. In, by IPC, one after the other: arguments and a folder. Out: the exit code and what was written.
// Each run evaluates `dist/cli.js` anew. Who needs an environment or signals needs a process of its own.
import { pathToFileURL } from 'node:url'

const cli = pathToFileURL(process.argv[2]).href
const end = process.exit
process.on('disconnect', () => end(0))

/** Has a stream hand what is written to `take`. */
function divert(stream, take) {
  stream.write = (chunk, encoding, done) => {
    take(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString())
    const written = typeof encoding === 'function' ? encoding : done
    if (written) setImmediate(written)
    return true
  }
}

let runs = 0
process.on('message', ({ args, cwd }) => {
  const texts = { out: '', err: '' }
  divert(process.stdout, (text) => {
    texts.out += text
  })
  divert(process.stderr, (text) => {
    texts.err += text
  })
  process.stdout.removeAllListeners('error')
  process.exitCode = undefined
  process.argv = [process.argv[0], process.argv[1], ...args]
  process.chdir(cwd)
  process.exit = (code) => process.send({ code: code ?? process.exitCode ?? 0, ...texts })
  import(`${cli}?run=${runs++}`).catch((error) =>
    process.send({ code: 1, ...texts, err: `${texts.err}${error instanceof Error ? error.stack : error}` }),
  )
})
