import { describe, expect, it } from 'vitest'
import { DuplicateToolError } from '../catalogue/catalogue-errors.ts'
import { createToolSearch, InvalidToolError, type Session, type ToolDefinition } from '../index.ts'
import { createRemoteVectors, fieldedRanker, functionEmbedder, hybridRanker } from '../rankers.ts'
import { SharedRankerError } from '../ranking/shared-ranker-error.ts'
import { SessionClosedError } from './session-closed-error.ts'

const log: ToolDefinition = { name: 'git_log', description: 'Shows the history of a branch' }
const diff: ToolDefinition = { name: 'git_diff', description: 'Shows what changed in a file' }
const mail: ToolDefinition = { name: 'mail_send', description: 'Sends a letter to somebody' }
const ownLog: ToolDefinition = {
  name: 'git_log',
  description: 'Lists the commits of the tenant',
  inputSchema: { type: 'object', properties: { tenant: { type: 'string' } }, required: ['tenant'] },
}
const fax: ToolDefinition = { name: 'fax_send', description: 'Faxes a page to somebody' }
const always = { activation: 'always' } as const

const namesOf = (session: Session) => session.tools().map(({ name }) => name)
const found = async (session: Session, query: string) =>
  (await session.search({ query })).outcome.hits.map(({ tool }) => tool.name)

describe('the tools of one conversation', () => {
  it('come after the shared ones, and one of the same name takes the place of the shared tool', async () => {
    const toolSearch = createToolSearch({ tools: [log, diff, mail], ...always })
    const session = await toolSearch.session('a', { tools: [fax, { ...ownLog, name: 'git_diff' }] })
    expect(namesOf(session)).toEqual(['git_log', 'git_diff', 'mail_send', 'fax_send'])
    expect(session.tool('git_diff')?.description).toBe(ownLog.description)
    const turn = await session.turn()
    expect(turn.hidden).toBe(4)
    expect(turn.deferred.map(({ name }) => name)).toEqual(namesOf(session))
    expect(turn.system).toContain('- fax_send')
  })

  it('are found, checked, suggested, counted and reported together with the shared ones', async () => {
    const toolSearch = createToolSearch({ tools: [log, diff, mail], ...always })
    const session = await toolSearch.session('a', { tools: [ownLog, fax] })
    await session.turn()
    const { outcome } = await session.search(
      { query: 'commits of the tenant' },
      { explain: true, nearMisses: 3 },
    )
    expect(outcome.hits[0]).toMatchObject({
      tool: { name: 'git_log', description: ownLog.description },
      status: 'loaded',
    })
    expect(outcome.hits[0]!.parts?.length).toBeGreaterThan(0)
    expect(outcome).toMatchObject({ deferrable: 4, remaining: 3 })
    expect(await found(session, 'history branch')).toEqual([])
    const unknown = JSON.stringify(await session.answer({ name: 'fax_sent', arguments: {} }))
    expect(unknown).toContain('fax_send')
    const invalid = JSON.stringify(await session.answer({ name: 'git_log', arguments: {} }))
    expect(invalid).toContain('tenant')
    const report = session.report(await session.turn())
    expect(report.sources).toMatchObject([{ source: 'builtin', tools: 4 }])
  })

  it('count for activation with the size of the tools they replace subtracted', async () => {
    const long = { ...log, description: 'x '.repeat(4_000) }
    const activation = { definitionShare: 0.5 }
    const toolSearch = createToolSearch({ tools: [long, diff], activation, contextWindow: 2_000 })
    expect((await (await toolSearch.session('a')).turn()).hidden).toBeGreaterThan(0)
    const session = await toolSearch.session('b', { tools: [log] })
    expect((await session.turn()).hidden).toBe(0)
  })

  it('can change at any time, as can the shared ones', async () => {
    const toolSearch = createToolSearch({ tools: [log], ...always })
    const session = await toolSearch.session('a', { tools: [fax] })
    await session.turn()
    expect(await found(session, 'letter')).toEqual([])
    session.catalogue.add(mail)
    toolSearch.catalogue.add(diff)
    const { notice } = await session.turn()
    expect(notice).toContain('mail_send')
    expect(notice).toContain('git_diff')
    expect(await found(session, 'letter')).toEqual(['mail_send'])
    expect(await found(session, 'what changed')).toEqual(['git_diff'])
    session.catalogue.remove('mail_send')
    toolSearch.catalogue.remove('git_diff')
    expect(namesOf(session)).toEqual(['git_log', 'fax_send'])
    expect(await found(session, 'letter')).toEqual([])
  })

  it('reveal the shared tool again when they are removed', async () => {
    const session = await createToolSearch({ tools: [log], ...always }).session('a', {
      tools: [ownLog],
    })
    expect(await found(session, 'commits')).toEqual(['git_log'])
    session.catalogue.remove('git_log')
    expect(session.tool('git_log')?.description).toBe(log.description)
    expect(await found(session, 'history')).toEqual(['git_log'])
  })

  it('are subject to the allow-list, and hide a shared tool of the same name even then', async () => {
    const toolSearch = createToolSearch({ tools: [log, diff], ...always })
    const allowed = await toolSearch.session('a', { tools: [fax, mail], visible: ['fax_send'] })
    expect(namesOf(allowed)).toEqual(['fax_send'])
    const judged = await toolSearch.session('b', {
      tools: [ownLog],
      visible: (tool) => tool.description !== ownLog.description,
    })
    expect(namesOf(judged)).toEqual(['git_diff'])
    expect(judged.tool('git_log')).toBeUndefined()
    expect(await found(judged, 'history of a branch commits')).toEqual([])
  })

  it('are not stored: a reopened conversation ignores loads of tools it no longer has', async () => {
    const toolSearch = createToolSearch({ tools: [log], ...always })
    const session = await toolSearch.session('a', { tools: [fax] })
    await session.turn()
    await session.load(['fax_send'])
    expect(JSON.stringify(await session.snapshot())).not.toContain('Faxes a page')
    const without = await toolSearch.session('a')
    expect(namesOf(without)).toEqual(['git_log'])
    expect((await without.turn()).tools.map(({ name }) => name)).toEqual(['tool_search'])
    const restored = await toolSearch.restore(await session.snapshot(), { tools: [fax] })
    expect((await restored.turn()).tools.map(({ name }) => name)).toContain('fax_send')
  })

  it('are copied to a fork, which can change them on its own', async () => {
    const session = await createToolSearch({ tools: [log] }).session('a', { tools: [fax] })
    const fork = await session.fork('a/1')
    fork.catalogue.add(mail)
    session.catalogue.remove('fax_send')
    expect(namesOf(fork)).toEqual(['git_log', 'fax_send', 'mail_send'])
    expect(namesOf(session)).toEqual(['git_log'])
  })

  it('leave the shared catalogue and its search unchanged', async () => {
    const toolSearch = createToolSearch({ tools: [log, diff], ...always })
    const before = toolSearch.search('letter history', { explain: true })
    const { version } = toolSearch.catalogue
    const session = await toolSearch.session('a', { tools: [ownLog, mail] })
    await session.search({ query: 'letter history' })
    session.catalogue.add(fax)
    await session.withTools([mail, fax]).search({ query: 'letter' })
    expect(toolSearch.catalogue.version).toBe(version)
    expect(toolSearch.search('letter history', { explain: true })).toEqual(before)
    expect(toolSearch.explain('letter', 'mail_send').verdict).toBe('unknown')
  })

  it('are indexed on the first keyword search and not before', async () => {
    let rankers = 0
    const ranker = () => {
      rankers++
      return fieldedRanker()
    }
    const toolSearch = createToolSearch({ tools: [log], ranker, ...always })
    expect(rankers).toBe(1)
    const session = await toolSearch.session('a', { tools: [fax] })
    await session.turn()
    await session.answer({ name: 'fax_send', arguments: {} })
    await session.search({ query: 'select:fax_send' })
    expect(rankers).toBe(1)
    await session.search({ query: 'page' })
    await session.search({ query: 'pages' })
    expect(rankers).toBe(2)
  })

  it('are found by semantic similarity once their vectors have arrived', async () => {
    const meanings: Record<string, number> = { letter: 0, fax: 0, page: 0, branch: 1, history: 1 }
    const embed = async (texts: readonly string[]) =>
      texts.map((text) => {
        const vector = [0.01, 0.01, 0.01]
        for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
          vector[meanings[word] ?? 2]! += word in meanings ? 1 : 0
        }
        return vector
      })
    const vectors = createRemoteVectors({
      embedder: functionEmbedder(embed, { id: 'meanings', dimensions: 3 }),
    })
    const ranker = () => hybridRanker({ vectors })
    const toolSearch = createToolSearch({ tools: [log], ranker, ...always })
    const session = await toolSearch.session('a', { tools: [fax] })
    await expect.poll(() => found(session, 'letter')).toEqual(['fax_send'])
    expect(toolSearch.search('letter').hits.map(({ tool }) => tool.name)).not.toContain('fax_send')
  })

  it('reject definitions that the catalogue would reject', async () => {
    const toolSearch = createToolSearch()
    await expect(toolSearch.session('a', { tools: [{ name: '' }] })).rejects.toThrow(
      InvalidToolError,
    )
    await expect(toolSearch.session('a', { tools: [fax, fax] })).rejects.toThrow(DuplicateToolError)
  })

  it('never reach a ranker that the ranker option returns for everyone', async () => {
    const only = fieldedRanker()
    const toolSearch = createToolSearch({ tools: [log], ranker: () => only, ...always })
    const session = await toolSearch.session('a', { tools: [fax] })
    await expect(session.search({ query: 'page' })).rejects.toThrow(SharedRankerError)
    expect(toolSearch.search('page').hits).toEqual([])
  })
})

describe('session.withTools', () => {
  it('ranks exactly like a catalogue with only these tools', async () => {
    const many = Array.from({ length: 40 }, (_, at) => ({
      name: `letter_${at}`,
      description: 'Writes a letter to a branch',
    }))
    const given = [log, { ...mail, description: 'Sends a letter' }, fax]
    const shared = createToolSearch({ tools: [log, ...many], ...always })
    const session = (await shared.session('a')).withTools(given)
    const alone = await createToolSearch({ tools: given, ...always }).session('a')
    for (const query of ['letter', 'page to somebody', 'history of branch', 'lettr']) {
      const options = { explain: true, nearMisses: 5 }
      expect((await session.search({ query }, options)).outcome).toEqual(
        (await alone.search({ query }, options)).outcome,
      )
    }
  })

  it('builds one index for the same array and another one when a definition has changed', async () => {
    let rankers = 0
    const ranker = () => {
      rankers++
      return fieldedRanker()
    }
    const toolSearch = createToolSearch({ ranker, ...always })
    const given: ToolDefinition[] = [log, { ...mail }]
    for (let request = 0; request < 100; request++) {
      const session = (await toolSearch.session(`s${request}`)).withTools(given)
      await session.search({ query: 'letter' })
    }
    expect(rankers).toBe(2)
    given[1] = { ...mail, description: 'Sends a parcel' }
    const changed = (await toolSearch.session('t')).withTools(given)
    expect(await found(changed, 'parcel')).toEqual(['mail_send'])
    Object.assign(given[1], { description: 'Sends a package' })
    const again = (await toolSearch.session('u')).withTools(given)
    expect(await found(again, 'package')).toEqual(['mail_send'])
    expect(await found(changed, 'parcel')).toEqual(['mail_send'])
    expect(rankers).toBe(4)
  })

  it('follows a shared tool that completes a definition', async () => {
    const toolSearch = createToolSearch({ tools: [log], ...always })
    const given: ToolDefinition[] = [{ name: 'git_log' }]
    const first = (await toolSearch.session('a')).withTools(given)
    toolSearch.catalogue.add({ ...log, description: 'Shows commits' }, { duplicates: 'replace' })
    const second = (await toolSearch.session('a')).withTools(given)
    expect(first.tool('git_log')?.description).toBe(log.description)
    expect(second.tool('git_log')?.description).toBe('Shows commits')
  })

  it('does not complete a definition with a shared tool that the caller may not see', async () => {
    const toolSearch = createToolSearch({ tools: [log] })
    const visible = (tool: { description: string }) => tool.description === ''
    const session = await toolSearch.session('a', { visible })
    expect(session.withTools([{ name: 'git_log' }]).tool('git_log')?.description).toBe('')
  })

  it('gives each session its own catalogue, even for the same array', async () => {
    const toolSearch = createToolSearch({ ...always })
    const given = [log]
    const one = (await toolSearch.session('a')).withTools(given)
    const other = (await toolSearch.session('b')).withTools(given)
    one.catalogue.add(fax)
    expect(namesOf(one)).toEqual(['git_log', 'fax_send'])
    expect(namesOf(other)).toEqual(['git_log'])
    expect(await found(other, 'page')).toEqual([])
  })
})

describe('session.close', () => {
  it('makes every method fail with its own error, and keeps the record', async () => {
    const toolSearch = createToolSearch({ tools: [log], ...always })
    const session = await toolSearch.session('a', { tools: [fax] })
    await session.turn()
    await session.load(['fax_send'])
    const { catalogue } = session
    session.close()
    session.close()
    expect(session.id).toBe('a')
    expect(catalogue.size).toBe(0)
    await expect(session.turn()).rejects.toThrow(SessionClosedError)
    await expect(session.search({ query: 'page' })).rejects.toMatchObject({
      code: 'session_closed',
      message: 'Session "a" is closed. Open it again with toolSearch.session().',
    })
    await expect(session.fork('b')).rejects.toThrow(SessionClosedError)
    await expect(session.answer({ name: 'git_log' })).rejects.toThrow(SessionClosedError)
    expect(() => session.tools()).toThrow(SessionClosedError)
    expect(() => session.withTools([])).toThrow(SessionClosedError)
    expect(() => session.catalogue).toThrow(SessionClosedError)
    expect((await toolSearch.session('a', { tools: [fax] })).loaded).toEqual(['fax_send'])
  })

  it('leaves other sessions of the same conversation open', async () => {
    const toolSearch = createToolSearch({ tools: [log] })
    const session = await toolSearch.session('a', { tools: [fax] })
    const given = session.withTools([mail])
    const fork = await session.fork('b')
    session.close()
    expect(namesOf(given)).toEqual(['mail_send'])
    expect(namesOf(fork)).toEqual(['git_log', 'fax_send'])
  })
})
