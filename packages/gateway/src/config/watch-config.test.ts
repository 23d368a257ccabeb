import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { loadConfig } from './load-config.ts'
import {
  type ConfigChange,
  type ConfigWatch,
  type WatchConfigOptions,
  watchConfig,
} from './watch-config.ts'

const root = mkdtempSync(join(tmpdir(), 'toolsearch-watch-'))
let open: ConfigWatch[] = []
afterEach(() => {
  for (const watch of open) watch.close()
  open = []
})

const textOf = (...names: string[]): string =>
  JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, { command: name }])) })

async function start(file: string, options: Partial<WatchConfigOptions> = {}) {
  const loaded = await loadConfig(file, { env: {} })
  if ('problems' in loaded) throw new Error(JSON.stringify(loaded.problems))
  const changes: ConfigChange[] = []
  const { config } = loaded
  const watch = watchConfig(file, (change) => changes.push(change), {
    config,
    env: {},
    debounceMs: 20,
    pollMs: 50,
    ...options,
  })
  open.push(watch)
  return { watch, changes }
}

function newFile(...names: string[]): string {
  const file = join(mkdtempSync(join(root, 'one-')), 'servers.json')
  writeFileSync(file, textOf(...names))
  return file
}

/** Replaces a file in one step, so that a watcher cannot read a half-written one. */
function replace(file: string, text: string): void {
  writeFileSync(`${file}.draft`, text)
  renameSync(`${file}.draft`, file)
}

/** Waits long enough for a change to be reported, for tests that expect none. */
const quiet = () => new Promise((done) => setTimeout(done, 300))

const countOf = (changes: readonly ConfigChange[]) => expect.poll(() => changes.length)

describe('watchConfig', () => {
  it.each([
    ['with file system events', { pollMs: 1_000_000 }],
    [
      'without file system events',
      {
        watchEvents: () => {
          throw new Error('not supported')
        },
      },
    ],
  ])('reports an edit %s', async (_, options) => {
    const file = newFile('a', 'b')
    const { watch, changes } = await start(file, options)
    replace(file, textOf('b', 'new'))
    await countOf(changes).toBe(1)
    expect(changes[0]).toMatchObject({ kind: 'changed' })
    expect(watch.config.servers.map(({ name }) => name)).toEqual(['b', 'new'])
  })

  it('names the settings of an edit that comes before the file is read for the first time', async () => {
    const file = newFile('one')
    const { changes } = await start(file, { debounceMs: 200 })
    replace(file, textOf('one', 'two'))
    await countOf(changes).toBe(1)
    expect(changes).toMatchObject([
      { kind: 'changed', settings: { added: ['mcpServers.two'], removed: [], changed: [] } },
    ])
  })

  it('follows a file that is replaced several times', async () => {
    const file = newFile('a')
    const { changes } = await start(file, { pollMs: 1_000_000 })
    for (const [index, name] of ['b', 'c', 'd'].entries()) {
      replace(file, textOf(name))
      await countOf(changes).toBe(index + 1)
    }
  })

  it('follows a symbolic link whose target is edited', async () => {
    const target = newFile('a')
    const file = join(mkdtempSync(join(root, 'link-')), 'servers.json')
    symlinkSync(target, file)
    const { changes } = await start(file)
    replace(target, textOf('a', 'b'))
    await countOf(changes).toBe(1)
  })

  it('keeps the configuration in use when an edit is invalid, and reports the next valid one', async () => {
    const file = newFile('a')
    const { watch, changes } = await start(file)
    replace(file, '{ "mcpServers": { "a": { "comand": "a" } } }')
    await countOf(changes).toBe(1)
    expect(changes[0]).toMatchObject({ kind: 'refused', problems: [{ file, line: 1 }, {}] })
    expect(watch.config.servers.map(({ name }) => name)).toEqual(['a'])
    replace(file, textOf('a'))
    await countOf(changes).toBe(2)
    expect(changes[1]).toMatchObject({ kind: 'changed', config: { servers: [{ name: 'a' }] } })
  })

  it('reports a missing file once, and notices when the file and its folder are back', async () => {
    const file = newFile('a')
    const { changes } = await start(file)
    rmSync(dirname(file), { recursive: true })
    await countOf(changes).toBe(1)
    await quiet()
    expect(changes).toMatchObject([
      { kind: 'refused', problems: [{ message: 'The file does not exist.' }] },
    ])
    mkdirSync(dirname(file))
    replace(file, textOf('b'))
    await countOf(changes).toBe(2)
  })

  it('reports an edit made between reading the file and watching it', async () => {
    const file = newFile('a')
    const loaded = await loadConfig(file, { env: {} })
    if ('problems' in loaded) throw new Error(JSON.stringify(loaded.problems))
    replace(file, textOf('b'))
    const { changes } = await start(file, { config: loaded.config })
    await countOf(changes).toBe(1)
  })

  it('ignores edits without effect, half-written files, and everything after it is closed', async () => {
    const file = newFile('a')
    const { watch, changes } = await start(file, { debounceMs: 100 })
    replace(file, `// a comment\n${textOf('a')}`)
    await quiet()
    // both within the debounce time
    writeFileSync(file, '{ "mcp')
    writeFileSync(file, textOf('a'))
    await quiet()
    watch.close()
    replace(file, textOf('b'))
    await quiet()
    expect(changes).toEqual([])
  })

  it('refuses an edit that would stop a server, but accepts problems of others', async () => {
    const file = newFile('a', 'b')
    const { watch, changes } = await start(file)
    const edit = (servers: object) => replace(file, JSON.stringify({ mcpServers: servers }))
    edit({ a: { command: 'a' }, b: { comand: 'b' } })
    await countOf(changes).toBe(1)
    expect(changes[0]).toMatchObject({ kind: 'refused', problems: [{ server: 'b' }, {}] })
    edit({ a: { command: 'a' }, b: { command: 'b' }, c: { comand: 'c' } })
    await countOf(changes).toBe(2)
    expect(changes[1]!.kind).toBe('changed')
    expect(watch.config.servers[2]).toMatchObject({ name: 'c', problems: [{}, {}] })
    edit({ a: { command: 'other' }, b: { command: 'b' }, c: { comand: 'c' } })
    await countOf(changes).toBe(3)
    expect(watch.config.servers[0]).toMatchObject({ connection: { command: 'other' } })
    edit({ a: { command: 'a' }, b: { command: 'b' }, c: { command: 'c' } })
    await countOf(changes).toBe(4)
    expect(watch.config.servers.some(({ problems }) => problems)).toBe(false)
  })
})
