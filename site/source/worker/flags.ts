// The flags of C as one line. In: `-D n=1024 --function gemm --precision f32`. Out: what the front end takes.
import { DiagnosticError } from 'tesela/explain'

export interface CFlags {
  readonly defines: Readonly<Record<string, string>>
  readonly function?: string
  readonly single: boolean
  readonly budget?: number
}

const refuse = (message: string, hint: string): never => {
  throw new DiagnosticError([{ severity: 'error', code: 'site.flags', message, hint }])
}

const hint = 'there are -D NAME=VALUE, --function NAME, --precision f32 and --budget N'

/** Throws a `DiagnosticError`. */
export function flagsOfC(line: string): CFlags {
  const words = line.split(/\s+/).filter((w) => w !== '')
  const defines: Record<string, string> = {}
  let read: CFlags = { defines, single: false }
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? ''
    const short = /^-D(.+)/.exec(word)?.[1]
    const text = short ?? words[++i] ?? refuse(`${word} needs a value`, hint)
    if (short !== undefined || word === '-D') {
      const [, name, value = '1'] = /^([A-Za-z_]\w*)(?:=(.*))?$/.exec(text) ?? []
      if (name === undefined) return refuse(`-D ${text.slice(0, 80)} defines no name`, hint)
      defines[name] = value
    } else if (word === '--function') read = { ...read, function: text }
    else if (word === '--precision' && text === 'f32') read = { ...read, single: true }
    else if (word === '--budget' && /^[1-9]\d{0,2}$/.test(text)) read = { ...read, budget: Number(text) }
    else refuse(`'${word.slice(0, 80)} ${text.slice(0, 80)}' is no flag of C here`, hint)
  }
  return read
}
