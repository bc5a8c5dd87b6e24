// For tests: a PostgreSQL server of our own where one is installed, in a temporary folder, on a socket that nobody else
// sees. The server refuses to run as root: it runs as `postgres` or `nobody` then.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Server {
  /** The address of a new, empty database. */
  fresh(): Promise<string>
  /** Kills the server, or only one of the processes that serve its clients, and sees that it runs again. */
  kill(which: 'server' | 'session'): Promise<void>
  stop(): void
}

const versions = '/usr/lib/postgresql'

function programs(): string | undefined {
  const installed = existsSync(versions) ? readdirSync(versions) : []
  const newest = installed.sort((a, b) => Number(b) - Number(a))[0]
  return newest === undefined ? undefined : join(versions, newest, 'bin')
}

/** Who may run the server, where we are root. */
function runner(): readonly string[] | undefined {
  if (process.getuid?.() !== 0) return []
  const user = ['postgres', 'nobody'].find((name) => spawnSync('id', [name]).status === 0)
  return user === undefined
    ? undefined
    : ['setpriv', `--reuid=${user}`, `--regid=${user === 'nobody' ? 'nogroup' : user}`, '--clear-groups']
}

/** A running server, or nothing where none is installed. */
export async function postgresHere(): Promise<Server | undefined> {
  const bin = programs()
  const as = runner()
  if (bin === undefined || as === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'tesela-pg-'))
  chmodSync(folder, 0o777)
  const run = (name: string, args: readonly string[]): void => {
    const [command = '', ...rest] = [...as, join(bin, name), ...args]
    execFileSync(command, rest, { cwd: folder, stdio: 'ignore' })
  }
  const data = join(folder, 'data')
  run('initdb', ['-D', data, '-U', 'tesela', '--auth=trust', '--no-sync', '-E', 'UTF8'])
  const options = `-c listen_addresses='' -c unix_socket_directories='${folder}' -c fsync=off -c max_connections=60`
  const start = (): void => run('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start'])
  start()
  const running = (): boolean => spawnSync('ps', ['-A', '-o', 'args=']).stdout.includes(data)
  let made = 0
  return {
    kill: async (which) => {
      const server = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
      const children = spawnSync('ps', ['--ppid', `${server}`, '-o', 'pid=,args='])
        .stdout.toString()
        .split('\n')
      const session = children.find((line) => / tesela store\d+ /.test(line))
      if (which === 'session') {
        if (session !== undefined) process.kill(Number.parseInt(session, 10), 'SIGKILL')
        return // the server ends all sessions by itself, looks through its log and goes on
      }
      process.kill(server, 'SIGKILL')
      // its processes notice by themselves
      for (let tries = 0; tries < 100 && running(); tries++) await new Promise((done) => setTimeout(done, 50))
      for (let tries = 0; ; tries++)
        try {
          start()
          return
        } catch (error) {
          if (tries >= 20) throw error
          await new Promise((done) => setTimeout(done, 200))
        }
    },
    fresh: async () => {
      const name = `store${made++}`
      run('createdb', ['-h', folder, '-U', 'tesela', name])
      return `postgres://tesela@localhost/${name}?host=${encodeURIComponent(folder)}`
    },
    stop: () => {
      run('pg_ctl', ['-D', data, '-m', 'immediate', 'stop'])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
