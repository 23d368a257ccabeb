import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
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
  for (const one of open) one.close()
  open = []
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

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

const quiet = () => new Promise((done) => setTimeout(done, 300))

describe('watchConfig', () => {
  it.each([
    ['where the system tells of changes', { pollMs: 1_000_000 }],
    [
      'where it does not',
      {
        watchEvents: () => {
          throw new Error('not here')
        },
      },
    ],
  ])('tells what an edit changes, %s', async (_, options) => {
    const file = newFile('a', 'b')
    const { watch, changes } = await start(file, options)
    await quiet()
    expect(changes).toEqual([])
    writeFileSync(file, textOf('b', 'new'))
    await vi.waitFor(() => expect(changes).toHaveLength(1), 5_000)
    expect(changes[0]).toMatchObject({ kind: 'changed' })
    expect(watch.config.servers.map(({ name }) => name)).toEqual(['b', 'new'])
  })

  it('follows a file that is replaced, again and again', async () => {
    const file = newFile('a')
    const { changes } = await start(file, { pollMs: 1_000_000 })
    for (const [index, name] of ['b', 'c', 'd'].entries()) {
      writeFileSync(`${file}.draft`, textOf(name))
      renameSync(`${file}.draft`, file)
      await vi.waitFor(() => expect(changes).toHaveLength(index + 1), 5_000)
    }
  })

  it('follows a link whose target is edited', async () => {
    const target = newFile('a')
    const file = join(mkdtempSync(join(root, 'link-')), 'servers.json')
    symlinkSync(target, file)
    const { changes } = await start(file)
    await quiet()
    writeFileSync(target, textOf('a', 'b'))
    await vi.waitFor(() => expect(changes).toHaveLength(1), 5_000)
  })

  it('keeps what was in force when an edit is bad, and tells of the way back', async () => {
    const file = newFile('a')
    const { watch, changes } = await start(file)
    writeFileSync(file, '{ "mcpServers": { "a": { "comand": "a" } } }')
    await vi.waitFor(() => expect(changes).toHaveLength(1), 5_000)
    expect(changes[0]).toMatchObject({ kind: 'refused', problems: [{ file, line: 1 }, {}] })
    expect(watch.config.servers.map(({ name }) => name)).toEqual(['a'])
    writeFileSync(file, textOf('a'))
    await vi.waitFor(() => expect(changes).toHaveLength(2), 5_000)
    expect(changes[1]).toMatchObject({ kind: 'changed', config: { servers: [{ name: 'a' }] } })
  })

  it('tells once that a file is gone, and notices when it is back with its folder', async () => {
    const file = newFile('a')
    const { changes } = await start(file)
    await quiet()
    rmSync(join(file, '..'), { recursive: true })
    await vi.waitFor(() => expect(changes).toHaveLength(1), 5_000)
    await quiet()
    expect(changes).toMatchObject([
      { kind: 'refused', problems: [{ message: 'There is no such file.' }] },
    ])
    mkdirSync(join(file, '..'))
    writeFileSync(file, textOf('b'))
    await vi.waitFor(() => expect(changes).toHaveLength(2), 5_000)
  })

  it('notices an edit made before it began', async () => {
    const file = newFile('a')
    const starting = start(file)
    const { changes } = await starting
    writeFileSync(file, textOf('b'))
    await vi.waitFor(() => expect(changes).toHaveLength(1), 5_000)
  })

  it('says nothing of an edit that changes nothing, of a half-written file, or once closed', async () => {
    const file = newFile('a')
    const { watch, changes } = await start(file, { debounceMs: 100 })
    writeFileSync(file, `// a comment\n${textOf('a')}`)
    await quiet()
    writeFileSync(file, '{ "mcp')
    await new Promise((done) => setTimeout(done, 50))
    writeFileSync(file, textOf('a'))
    await quiet()
    watch.close()
    writeFileSync(file, textOf('b'))
    await quiet()
    expect(changes).toEqual([])
  })
})
