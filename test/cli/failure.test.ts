import { expect, test } from 'vitest'
import { DiagnosticError, InternalError } from '../../src/base/index.ts'
import { failureOf } from '../../src/cli/failure.ts'
import { Gate } from '../../src/cli/gate.ts'
import { coloured, plain } from '../../src/report/index.ts'
import { folderWith } from './run.ts'

const usage = { help: '', commands: ['optimize'] }
const of = (error: unknown, args: readonly string[] = []): { text: string; code: number } =>
  failureOf(error, args, plain, usage)

test('a bug of ours says so, and how to reproduce it: exit 70', () => {
  const f = of(new InternalError('schedule/split', 'factor 0', 'program p()'), ['optimize', "it's.c", '-D', 'n=4'])
  expect(f.code).toBe(70)
  expect(f.text).toContain('this is a bug in Tesela, not in your input')
  expect(f.text).toContain('internal error in schedule/split: factor 0\nprogram p()')
  expect(f.text).toContain(`  tesela optimize 'it'\\''s.c' -D n=4\n`)
})

test('any other exception is ours too', () => {
  expect(of(new TypeError('x is undefined'))).toMatchObject({ code: 70 })
  expect(of('text')).toMatchObject({ code: 70 })
})

test('a gate that failed: exit 1 and its sentence alone', () => {
  expect(of(new Gate('2 findings of level warning'))).toEqual({ code: 1, text: '2 findings of level warning' })
})

test('several diagnostics are all shown, with their lines; tabs and control characters do not shift or steer', () => {
  const cwd = folderWith({ 'a.c': 'int\tx;\n\u001b[2Jfloat y;\n' })
  const f = of(
    new DiagnosticError([
      { severity: 'error', code: 'a.b', message: 'no', at: { file: `${cwd}/a.c`, line: 1, column: 5, length: 1 } },
      {
        severity: 'warning',
        code: 'c.d',
        message: 'hm',
        at: { file: `${cwd}/a.c`, line: 2, column: 5, length: 5 },
        hint: 'do',
      },
      { severity: 'note', code: 'e.f', message: 'nowhere', at: { file: `${cwd}/b.c`, line: 2, column: 5 } },
    ]),
  )
  expect(f.code).toBe(2)
  expect(f.text.split('\n')).toEqual([
    `${cwd}/a.c:1:5: error: no [a.b]`,
    '  1 | int x;',
    '    |     ^',
    `${cwd}/a.c:2:5: warning: hm [c.d]`,
    '  2 | \ufffd[2Jfloat y;',
    '    |     ^^^^^',
    '  hint: do',
    `${cwd}/b.c:2:5: note: nowhere [e.f]`,
  ])
})

test('a place far to the right is shown with its surroundings; a place beyond the line does not break', () => {
  const cwd = folderWith({ 'long.c': `${'a'.repeat(5000)}!${'b'.repeat(50)}\n` })
  const at = (column: number): string[] =>
    of(
      new DiagnosticError([
        { severity: 'error', code: 'x', message: 'm', at: { file: `${cwd}/long.c`, line: 1, column } },
      ]),
    ).text.split('\n')
  const [, line = '', caret = ''] = at(5001)
  expect(line[caret.indexOf('^')]).toBe('!')
  expect(line.length).toBeLessThan(130)
  expect(at(9000).length).toBe(3)
})

test('colours mark the severity when there is someone to see them', () => {
  expect(
    failureOf(new DiagnosticError([{ severity: 'error', code: 'x', message: 'm' }]), [], coloured, usage).text,
  ).toContain('\u001b[31merror\u001b[39m')
})
