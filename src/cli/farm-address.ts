// Where a farm is and by what token. In: flags and the environment. Out: the address. The one idea: server, workers and
// clients of one machine find the same token in one file that only its user reads.
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fail } from '../base/index.ts'
import type { FarmAddress } from '../farm/index.ts'
import { reason } from './files.ts'

export const usualTokenFile = (): string => join(homedir(), '.config', 'tesela', 'farm-token')

/** A shorter token could be guessed. */
const leastCharacters = 16

/** `TESELA_FARM_TOKEN`, or what is in the file; `make`: a new one where there is no file. */
export function farmToken(file: string | undefined, make = false): string {
  const given = process.env['TESELA_FARM_TOKEN']
  const path = file ?? usualTokenFile()
  const token = (file === undefined && given ? given : read(path, make)).trim()
  return /^[\x21-\x7e]+$/.test(token) && token.length >= leastCharacters
    ? token
    : fail('farm.token', `a token has at least ${leastCharacters} characters and no blanks, not what is in ${path}`)
}

function read(path: string, make: boolean): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (!make)
      return fail(
        'farm.token',
        `the token of the farm cannot be read: ${reason(error)}`,
        undefined,
        'set TESELA_FARM_TOKEN, or name the file with --token-file',
      )
  }
  const token = randomBytes(24).toString('hex')
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(path, `${token}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    return fail('farm.token', `no token can be kept in ${path}: ${reason(error)}`)
  }
  return token
}

export const farmAddress = (url: string, tokenFile: string | undefined): FarmAddress => ({
  url,
  token: farmToken(tokenFile),
})
