import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Validator } from '@cfworker/json-schema'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import {
  createMemoryStore,
  createToolSearch,
  InvalidOptionError,
  InvalidToolError,
  resultFormat,
  type ToolDefinition,
  type Turn,
} from './index.ts'
import { createFileStore } from './stores/file-store.ts'
import { InvalidSnapshotError, MissingAccessError } from './stores/session-snapshot.ts'

const log: ToolDefinition = {
  name: 'git_log',
  description: 'Shows the history of a branch',
  inputSchema: {
    type: 'object',
    properties: { branch: { type: 'string', minLength: 2 } },
    required: ['branch'],
  },
}
const diff: ToolDefinition = { name: 'git_diff', description: 'Shows what changed in a file' }
const mail: ToolDefinition = { name: 'mail_send', description: 'Sends a letter to somebody' }
const shell: ToolDefinition = { name: 'shell', description: 'Runs a command', loading: 'eager' }
const tools = [log, diff, mail, shell]
const always = { activation: 'always' } as const

const names = (turn: Turn) => turn.tools.map(({ name }) => name)

describe('createToolSearch', () => {
  it('works without options', async () => {
    const toolSearch = createToolSearch()
    expect(toolSearch.search('anything')).toMatchObject({ hits: [], deferrable: 0 })
    expect(await (await toolSearch.session('a')).turn()).toEqual({
      tools: [],
      isListExtended: false,
      deferred: [],
      hidden: 0,
      nameConflicts: [],
    })
  })

  it('rejects an invalid tool', () => {
    expect(() => createToolSearch({ tools: [{ name: '' }] })).toThrow(InvalidToolError)
  })

  it('overrides parts of the unified preset', () => {
    const { preset } = createToolSearch({ selection: { defaultLimit: 9 }, loading: 'none' })
    expect(preset).toMatchObject({
      preset: 'unified',
      loading: 'none',
      selection: { defaultLimit: 9, maxLimit: 25, band: 0.4 },
    })
  })

  it('rejects an invalid activation', async () => {
    const open = async () => {
      const toolSearch = createToolSearch({ tools, activation: 'auto:500' })
      return (await toolSearch.session('a')).turn()
    }
    await expect(open()).rejects.toThrow(InvalidOptionError)
  })

  it('shares no state with another instance', async () => {
    const [one, other] = [createToolSearch({ tools }), createToolSearch({ tools })]
    one.catalogue.remove('git_log')
    await (await one.session('a')).load(['git_diff'])
    expect(other.search('git_log').hits).toHaveLength(1)
    expect((await other.session('a')).loaded).toEqual([])
  })
})

describe('toolSearch.search', () => {
  it('searches all tools and loads nothing', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const outcome = toolSearch.search('history of a branch')
    expect(outcome.hits.map(({ tool, status }) => [tool.name, status])).toEqual([
      ['git_log', 'found'],
    ])
    expect(toolSearch.search('shell').hits[0]).toMatchObject({ status: 'found' })
    expect((await toolSearch.session('a')).loaded).toEqual([])
  })

  it('reflects changes to the catalogue', () => {
    const toolSearch = createToolSearch({ tools })
    toolSearch.catalogue.add({ name: 'tide', description: 'When the sea comes in' })
    expect(toolSearch.search('sea').hits[0]?.tool.name).toBe('tide')
    toolSearch.catalogue.add(
      { name: 'tide', description: 'When the moon is high' },
      { duplicates: 'replace' },
    )
    expect(toolSearch.search('sea').hits).toEqual([])
    expect(toolSearch.search('moon').hits[0]?.tool.name).toBe('tide')
    toolSearch.catalogue.remove('tide')
    expect(toolSearch.search('moon').hits).toEqual([])
  })

  it('accepts a limit and explains scores if requested', () => {
    const many = Array.from({ length: 40 }, (_, index) => ({
      name: `log_${index}`,
      description: 'Shows history',
    }))
    const toolSearch = createToolSearch({ tools: many })
    expect(toolSearch.search('history').hits).toHaveLength(5)
    expect(toolSearch.search('history', { limit: 30 }).hits).toHaveLength(30)
    expect(toolSearch.search('history').hits[0]).not.toHaveProperty('parts')
    const [hit] = toolSearch.search('history', { explain: true }).hits
    expect(hit?.parts?.length).toBeGreaterThan(0)
  })

  it('suggests similar names if there is no match', () => {
    const toolSearch = createToolSearch({ tools })
    expect(toolSearch.search('guitlog')).toMatchObject({
      hits: [],
      candidates: [],
      closest: ['git_log'],
    })
  })

  it('lists servers that are not ready', () => {
    const toolSearch = createToolSearch({ tools })
    toolSearch.sources.set({ source: 'mcp:hub', state: 'needs-sign-in' })
    expect(toolSearch.search('dinner').notReady).toEqual([
      { source: 'mcp:hub', state: 'needs-sign-in' },
    ])
  })
})

describe('toolSearch.session', () => {
  it('keeps sessions separate', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const [one, other] = [await toolSearch.session('a'), await toolSearch.session('b')]
    await one.search({ query: 'select:git_log' })
    expect(other.loaded).toEqual([])
    expect(names(await other.turn())).toEqual(['tool_search', 'shell'])
  })

  it('continues a stored session', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const session = await toolSearch.session('a')
    await session.turn()
    await session.load(['mail_send', 'git_log'])
    await session.turn()
    const before = await session.turn()
    const again = await toolSearch.session('a')
    expect(again.loaded).toEqual(['mail_send', 'git_log'])
    expect(await again.turn()).toEqual(before)
  })

  it('continues a session in another process with a file store', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolsearch-'))
    try {
      const open = () =>
        createToolSearch({ tools, store: createFileStore({ folder }), ...always }).session('a')
      const session = await open()
      await session.turn()
      await session.load(['mail_send', 'git_log'])
      await session.turn()
      const before = await session.turn()
      expect(JSON.stringify(await (await open()).turn())).toBe(JSON.stringify(before))
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('drops the least recently used of more than 4,096 sessions with the default store', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    for (let i = 0; i <= 4_096; i++) await (await toolSearch.session(`${i}`)).load(['git_log'])
    expect((await toolSearch.session('0')).loaded).toEqual([])
    expect((await toolSearch.session('1')).loaded).toEqual(['git_log'])
  })

  it('does not drop a session in use, however long ago it loaded a tool', async () => {
    let now = 0
    const store = createMemoryStore({ idleMs: 60_000, now: () => now })
    const toolSearch = createToolSearch({ tools, store, now: () => now, ...always })
    const session = await toolSearch.session('a')
    await session.load(['git_log'])
    for (; now < 180_000; now += 10_000) {
      await session.turn()
      await session.answer({ name: 'git_log', arguments: { branch: 'main' } })
      await (await toolSearch.session(`other ${now}`)).load(['git_diff'])
    }
    await session.load(['mail_send'])
    expect(session.loaded).toEqual(['git_log', 'mail_send'])
    expect(names(await session.turn())).toEqual(['tool_search', 'shell', 'git_log', 'mail_send'])
  })

  it('does not drop a session in use, however many others are opened', async () => {
    const store = createMemoryStore({ maxSessions: 10 })
    const toolSearch = createToolSearch({ tools, store, ...always })
    const session = await toolSearch.session('a')
    await session.load(['git_log'])
    for (let i = 0; i < 30; i++) {
      await session.turn()
      await (await toolSearch.session(`other ${i}`)).load(['git_diff'])
    }
    expect((await toolSearch.session('a')).loaded).toEqual(['git_log'])
  })
})

describe('toolSearch.restore', () => {
  it('continues from JSON with identical requests', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    await session.turn()
    await session.load(['mail_send', 'git_log'])
    await session.turn()
    const before = await session.turn()
    const json = JSON.parse(JSON.stringify(await session.snapshot()))
    const elsewhere = createToolSearch({ tools: tools.toReversed(), ...always })
    const restored = await elsewhere.restore(json)
    expect(restored.id).toBe('a')
    expect(JSON.stringify(await restored.turn())).toBe(JSON.stringify(before))
    expect(await restored.snapshot()).toEqual(await session.snapshot())
    expect((await elsewhere.session('a')).loaded).toEqual(['mail_send', 'git_log'])
  })

  it('repeats the announcement in another process and tells what changed since then', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    const { system } = await session.turn()
    const elsewhere = createToolSearch({ tools: [log, shell, { name: 'late' }], ...always })
    const restored = await elsewhere.restore(JSON.parse(JSON.stringify(await session.snapshot())))
    expect(await restored.turn()).toMatchObject({
      system,
      notice:
        'New tools available through search:\n- late\n\nNo longer available:\n- git_diff\n- mail_send',
    })
    const third = createToolSearch({ tools: [log, shell, { name: 'later' }], ...always })
    const turn = await (await third.restore(await restored.snapshot())).turn()
    expect(turn).toMatchObject({
      system,
      notice: 'New tools available through search:\n- later\n\nNo longer available:\n- late',
    })
  })

  it('announces the current tools in another process if the list is too long to record', async () => {
    const many = Array.from({ length: 2_000 }, (_, at) => ({ name: `tool_number_${at}` }))
    const session = await createToolSearch({ tools: many, ...always }).session('a')
    await session.turn()
    const snapshot = await session.snapshot()
    expect(JSON.stringify(snapshot).length).toBeLessThan(1_000)
    const elsewhere = createToolSearch({ tools: [log, shell, { name: 'late' }], ...always })
    const turn = await (await elsewhere.restore(snapshot)).turn()
    expect(turn.system).toContain('- git_log\n- late')
    expect(turn.notice).toBeUndefined()
  })

  it('announces changes as a notice in the process that announced the tools', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const session = await toolSearch.session('a')
    const { system } = await session.turn()
    const snapshot = await session.snapshot()
    toolSearch.catalogue.remove('git_diff')
    toolSearch.catalogue.add({ name: 'late' })
    expect(await (await toolSearch.restore(snapshot)).turn()).toMatchObject({
      system,
      notice: 'New tools available through search:\n- late\n\nNo longer available:\n- git_diff',
    })
  })

  it('keeps deferral active', async () => {
    const activation = { usageShare: 0.1 }
    const session = await createToolSearch({ tools, activation }).session('a')
    await session.turn({ usedTokens: 100_000 })
    const restored = await createToolSearch({ tools, activation }).restore(await session.snapshot())
    expect(await restored.turn()).toMatchObject({ hidden: 3 })
  })

  it('keeps the allow-list of a session', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    toolSearch.sources.set({ source: 'mcp:hub', state: 'failed' })
    toolSearch.sources.set({ source: 'mcp:vault', state: 'failed' })
    const visible = ['shell', 'git_log'].values()
    const session = await toolSearch.session('a', { visible, visibleSources: ['mcp:hub'] })
    const json = JSON.parse(JSON.stringify(await session.snapshot()))
    expect(json).toMatchObject({ visible: ['git_log', 'shell'], visibleSources: ['mcp:hub'] })
    const restored = await toolSearch.restore(json)
    expect(restored.tools().map(({ name }) => name)).toEqual(['git_log', 'shell'])
    const { outcome } = await restored.search({ query: 'letter' })
    expect(outcome.notReady.map(({ source }) => source)).toEqual(['mcp:hub'])
    const fork = await (await restored.fork('b')).snapshot()
    expect(fork).toMatchObject({ visible: ['git_log', 'shell'], visibleSources: ['mcp:hub'] })
  })

  it('replaces the allow-list if the caller passes another', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const session = await toolSearch.session('a', { visible: ['shell'] })
    const restored = await toolSearch.restore(await session.snapshot(), { visible: ['git_log'] })
    expect(restored.tools().map(({ name }) => name)).toEqual(['git_log'])
    expect((await restored.snapshot()).visible).toEqual(['git_log'])
  })

  it('needs the function that decided which tools a caller may see', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const visible = ({ name }: { name: string }) => name === 'shell'
    const session = await toolSearch.session('a', { visible })
    await session.turn()
    const snapshot = JSON.parse(JSON.stringify(await session.snapshot()))
    const error = await toolSearch.restore(snapshot).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(MissingAccessError)
    expect(error).toMatchObject({ code: 'missing_access' })
    expect((error as Error).message).toContain('restore(snapshot, { visible })')
    const restored = await toolSearch.restore(snapshot, { visible })
    expect(restored.tools().map(({ name }) => name)).toEqual(['shell'])
  })

  it('replaces the stored session', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const session = await toolSearch.session('a')
    const early = await session.snapshot()
    await session.load(['git_log'])
    expect((await toolSearch.restore(early)).loaded).toEqual([])
  })

  it('is independent of the object it was restored from', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    const json = JSON.parse(JSON.stringify(await session.snapshot()))
    const toolSearch = createToolSearch({ tools, ...always })
    const restored = await toolSearch.restore(json)
    json.record.loaded.push({ name: 'mail_send', fingerprint: '1' })
    expect(restored.loaded).toEqual([])
    expect((await toolSearch.session('a')).loaded).toEqual([])
  })

  it.each([undefined, null, 'text', {}, { version: 1 }, { version: 2, id: 'a', record: {} }])(
    'rejects %j without changing the store',
    async (json) => {
      const toolSearch = createToolSearch({ tools, ...always })
      await (await toolSearch.session('a')).load(['git_log'])
      await expect(toolSearch.restore(json)).rejects.toThrow(InvalidSnapshotError)
      expect((await toolSearch.session('a')).loaded).toEqual(['git_log'])
    },
  )
})

describe('visible tools', () => {
  it.each([
    ['an array', ['git_log', 'shell']],
    ['a set', new Set(['git_log', 'shell'])],
    ['a generator', ['git_log', 'shell'].values()],
    ['a function', ({ name }: { name: string }) => ['git_log', 'shell'].includes(name)],
  ])('can be passed as %s', async (_, visible) => {
    const toolSearch = createToolSearch({ tools, ...always })
    const session = await toolSearch.session('a', { visible })
    const turn = await session.turn()
    expect(names(turn)).toEqual(['tool_search', 'shell'])
    expect(turn.hidden).toBe(1)
    toolSearch.catalogue.add({ name: 'late' })
    expect((await session.turn()).notice).toBeUndefined()
  })

  it('can be an empty list', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a', { visible: [] })
    expect(await session.turn()).toMatchObject({ tools: [], hidden: 0 })
    expect((await session.search({ query: 'history' })).outcome).toMatchObject({
      hits: [],
      deferrable: 0,
      remaining: 0,
    })
  })

  it('restrict hits, missing names, similar names, counts, calls, loads and every list', async () => {
    const secret: ToolDefinition = { ...mail, name: 'mail_vault', source: 'mcp:vault' }
    for (const style of ['names', 'hints', 'lines'] as const) {
      for (const budget of [1, 2_000]) {
        const toolSearch = createToolSearch({
          tools: [secret, ...tools],
          announcement: { style, budget },
          ...always,
        })
        const session = await toolSearch.session('a', { visible: tools.map(({ name }) => name) })
        const visibleTexts = [
          await session.turn(),
          await session.turn({ canSearch: false }),
          await session.turn({ toolChoice: 'mail_vault' }),
          await session.load(['mail_vault']),
          await session.search({ query: 'letter to somebody' }),
          (await session.search({ query: 'select:mail_vaul' })).outcome.missing[0]?.closest,
          (await session.search({ query: 'mail_vaul' })).outcome.closest,
          (await session.search({ query: 'mcp__' })).outcome.hits,
          await session.answer({ name: 'mail_vaul', arguments: {} }),
          session.report(await session.turn()),
          session.loaded,
          await (await session.fork('b')).turn(),
        ]
        const words = JSON.stringify(visibleTexts).replaceAll(/"?mail_vaul\W/g, '')
        expect(words).not.toMatch(/mail_vault|mcp:vault/)
        const { outcome } = await session.search({ query: 'select:git_log' })
        expect(outcome.deferrable).toBe(3)
      }
    }
  })

  it('restrict a session that is restored or reopened with fewer tools', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const session = await toolSearch.session('a')
    await session.turn()
    await session.load(['mail_send'])
    const visible = ['git_log', 'shell']
    const reopened = await toolSearch.session('a', { visible })
    expect((await reopened.turn()).system).not.toMatch(/git_diff|mail_send/)
    const restored = await toolSearch.restore(await session.snapshot(), { visible })
    const turn = await restored.turn()
    expect(names(turn)).toEqual(['tool_search', 'shell'])
    expect(turn.system).not.toMatch(/git_diff|mail_send/)
  })

  it('restrict a session reopened with fewer tools, even after a concealed tool is removed', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    await (await toolSearch.session('a')).turn()
    const session = await toolSearch.session('a', { visible: ['git_log', 'git_diff', 'shell'] })
    toolSearch.catalogue.remove('mail_send')
    expect((await session.turn()).system).not.toContain('mail_send')
  })

  it('change the system block of a session reopened with fewer tools only once', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    await (await toolSearch.session('a')).turn()
    const session = await toolSearch.session('a', { visible: ['git_log', 'git_diff', 'shell'] })
    const { system } = await session.turn()
    expect(system).toContain('- git_diff\n- git_log')
    await session.load(['git_log'])
    expect((await session.turn()).system).toBe(system)
    toolSearch.catalogue.add({ name: 'late' })
    expect((await session.turn()).system).toBe(system)
  })

  it('do not change the system block of a restricted session when a visible tool is removed', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const session = await toolSearch.session('a', { visible: ['git_log', 'git_diff', 'shell'] })
    const { system } = await session.turn()
    toolSearch.catalogue.remove('git_diff')
    expect(await session.turn()).toMatchObject({
      system,
      notice: 'No longer available:\n- git_diff',
    })
    expect((await session.turn()).notice).toBeUndefined()
    toolSearch.catalogue.add(diff)
    expect(await session.turn()).toMatchObject({
      system,
      notice: 'New tools available through search:\n- git_diff',
    })
  })

  it('do not include server problems unless visibleSources lists them', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    toolSearch.sources.set({ source: 'mcp:hub', state: 'failed' })
    toolSearch.sources.set({ source: 'mcp:vault', state: 'failed' })
    const notReady = async (access: Parameters<typeof toolSearch.session>[1]) => {
      const session = await toolSearch.session('a', access)
      return (await session.search({ query: 'x' })).outcome.notReady.map(({ source }) => source)
    }
    expect(await notReady({})).toEqual(['mcp:hub', 'mcp:vault'])
    expect(await notReady({ visible: ['git_log'] })).toEqual([])
    expect(await notReady({ visible: ['git_log'], visibleSources: ['mcp:hub'] })).toEqual([
      'mcp:hub',
    ])
    expect(await notReady({ visibleSources: ['mcp:hub'] })).toEqual(['mcp:hub'])
  })
})

describe('custom validators, tokenizers, formats and stores', () => {
  const ajv = new Ajv2020({ allErrors: true, strict: false })

  it.each([
    [
      'Ajv',
      (schema: object, value: unknown) => {
        const isValid = ajv.validate(schema, value)
        return isValid ? [] : [ajv.errorsText()]
      },
    ],
    [
      '@cfworker/json-schema',
      (schema: object, value: unknown) =>
        new Validator(schema, '2020-12', false).validate(value).errors.map(({ error }) => error),
    ],
  ])('checks calls with %s', async (_, validate) => {
    const session = await createToolSearch({ tools, validate, ...always }).session('a')
    await session.load(['git_log'])
    expect(await session.answer({ name: 'git_log', arguments: { branch: 'main' } })).toMatchObject({
      kind: 'run',
    })
    expect(await session.answer({ name: 'git_log', arguments: { branch: 'm' } })).toMatchObject({
      isError: true,
      data: {
        problems: expect.arrayContaining([expect.stringMatching(/2|short/)]),
        inputSchema: log.inputSchema,
      },
    })
  })

  it('uses the built-in check without a validator and if the validator throws', async () => {
    const throwing = () => {
      throw new Error('no')
    }
    for (const options of [{}, { validate: throwing }]) {
      const session = await createToolSearch({ tools, ...options, ...always }).session('a')
      await session.load(['git_log'])
      expect(await session.answer({ name: 'git_log', arguments: { branch: 'm' } })).toMatchObject({
        kind: 'run',
      })
      expect(await session.answer({ name: 'git_log', arguments: { branch: 7 } })).toMatchObject({
        data: { problems: ['"branch" must be string, not number'] },
      })
    }
  })

  it('counts tokens with a custom tokenizer in reports, budgets and activation', async () => {
    let counted = 0
    const exact = (text: string) => {
      counted++
      return countTokens(text)
    }
    const session = await createToolSearch({ tools, countTokens: exact, ...always }).session('a')
    const turn = await session.turn()
    const report = session.report(turn)
    expect(report.announcement).toBe(countTokens(turn.system!))
    expect(report.sentTools).toBe(
      turn.tools.reduce((sum, tool) => sum + countTokens(JSON.stringify(tool)), 0),
    )
    expect(counted).toBeGreaterThan(5)

    const definitions = [log, diff, mail]
      .map(({ name, description, inputSchema = { type: 'object', properties: {} } }) =>
        countTokens(JSON.stringify({ name, description, inputSchema })),
      )
      .reduce((sum, tokens) => sum + tokens, 0)
    const activation = { definitionShare: 0.5 }
    const hidden = async (contextWindow: number) => {
      const options = { tools, activation, contextWindow, countTokens: exact }
      return (await (await createToolSearch(options).session('a')).turn()).hidden
    }
    expect(await hidden(2 * definitions)).toBe(3)
    expect(await hidden(2 * definitions + 1)).toBe(0)
  })

  it('uses a custom result format', async () => {
    const result = resultFormat({ detail: 'names' })
    const session = await createToolSearch({ tools, result, ...always }).session('a')
    const { answer } = await session.search({ query: 'select:git_log,git_diff' })
    expect(answer.data).toMatchObject({ loaded: ['git_log', 'git_diff'] })
  })

  it('uses a custom search tool name everywhere', async () => {
    const searchTool = { name: 'FindTools' }
    const session = await createToolSearch({ tools, searchTool, ...always }).session('a')
    const turn = await session.turn()
    const { answer } = await session.search({ query: 'dinner' })
    const refused = await session.answer({ name: 'zzz' })
    const texts = JSON.stringify([turn, answer, refused])
    expect(texts).toContain('FindTools')
    expect(texts).not.toContain('tool_search')
  })

  it('uses a custom store and rejects if it fails', async () => {
    const memory = createMemoryStore()
    const store = { ...memory, update: () => Promise.reject(new Error('disk full')) }
    const session = await createToolSearch({ tools, store, ...always }).session('a')
    await expect(session.search({ query: 'select:git_log' })).rejects.toThrow('disk full')
    expect(session.loaded).toEqual([])
  })
})
