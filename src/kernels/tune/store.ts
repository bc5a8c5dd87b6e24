// Where what was measured is kept: a file in Node and Deno, IndexedDB in browsers. In: a name. Out: a text, or nothing.
// The one idea: losing it loses time only, so what cannot be read or written is as if it had never been there.

export interface Store {
  /** Where that is, in words. */
  readonly place: string
  read(name: string): Promise<string | null>
  write(name: string, text: string): Promise<void>
}

/** The store of this machine; `folder` in Node instead of `~/.cache/tesela`. Nothing where there is none. */
export async function storeHere(folder?: string): Promise<Store | null> {
  if (typeof indexedDB !== 'undefined') return inBrowser()
  return (globalThis as { readonly process?: { readonly versions?: unknown } }).process?.versions
    ? inFiles(folder)
    : null
}

async function inFiles(given: string | undefined): Promise<Store> {
  // names that bundlers for browsers leave alone
  const load = (name: string): Promise<unknown> => import(/* @vite-ignore */ /* webpackIgnore: true */ name)
  const files = (await load('node:fs/promises')) as typeof import('node:fs/promises')
  const { join } = (await load('node:path')) as typeof import('node:path')
  const { homedir } = (await load('node:os')) as typeof import('node:os')
  const folder = given ?? join(homedir(), '.cache', 'tesela'),
    path = (name: string): string => join(folder, `${name}.json`)
  return {
    place: folder,
    read: (name) => files.readFile(path(name), 'utf8').catch(() => null),
    write: async (name, text) => {
      await files.mkdir(folder, { recursive: true })
      const beside = `${path(name)}.${crypto.randomUUID()}` // not the process, which may have workers
      await files.writeFile(beside, text)
      await files.rename(beside, path(name)) // another process sees all of it or nothing
    },
  }
}

const database = 'tesela',
  shelf = 'tuned'

function inBrowser(): Store {
  const opened = (): Promise<IDBDatabase> => {
    const request = indexedDB.open(database, 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore(shelf)
    }
    return done(request)
  }
  const work = async <T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> => {
    const db = await opened()
    try {
      return await done(act(db.transaction(shelf, mode).objectStore(shelf)))
    } finally {
      db.close()
    }
  }
  return {
    place: `IndexedDB '${database}'`,
    read: (name) =>
      work('readonly', (s) => s.get(name)).then(
        (v) => (typeof v === 'string' ? v : null),
        () => null,
      ),
    write: async (name, text) => {
      await work('readwrite', (s) => s.put(text, name))
    },
  }
}

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(new Error(request.error?.message ?? 'IndexedDB failed'))
  })
