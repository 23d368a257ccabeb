import { describe, expect, it } from 'vitest'
import { createToolSearch, type ToolDefinition, type Turn, unified } from '../index.ts'

const toolNamed = (name: string): ToolDefinition => ({
  name,
  inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
})
const tools = (count: number, prefix = 'tool') =>
  Array.from({ length: count }, (_, index) => toolNamed(`${prefix}_${index}`))
const names = (turn: Turn) => turn.tools.map(({ name }) => name)
const valid = { id: '1' }

describe('tools that the model has seen', () => {
  it('stay listed and callable in the plain loop when 30 more tools connect', async () => {
    const toolSearch = createToolSearch({ tools: tools(10) })
    const session = await toolSearch.session('a')
    const before = names(await session.turn())
    expect(before).toHaveLength(10)
    toolSearch.catalogue.add(tools(30, 'late'))
    const turn = await session.turn()
    expect(names(turn)).toEqual(['tool_search', ...before])
    expect(turn.hidden).toBe(30)
    expect(await session.answer({ name: 'tool_3', arguments: valid })).toMatchObject({
      kind: 'run',
    })
    expect(await session.answer({ name: 'late_3', arguments: valid })).toMatchObject({
      isError: true,
    })
    expect(names(await session.turn())).toEqual(['tool_search', ...before, 'late_3'])
  })

  it('are listed the same in the plain loop and in append-only requests', async () => {
    const lists = []
    for (const options of [{}, { appendOnly: {} }]) {
      const toolSearch = createToolSearch({ tools: tools(10) })
      const session = await toolSearch.session('a')
      const turns = [await session.turn(options)]
      toolSearch.catalogue.add(tools(30, 'late'))
      turns.push(await session.turn(options))
      await session.search({ query: 'select:late_3' })
      turns.push(await session.turn(options))
      lists.push(turns.map(names))
    }
    expect(lists[0]).toEqual(lists[1])
  })

  it('stay callable for a new session object after a request without a search', async () => {
    const toolSearch = createToolSearch({ tools: tools(20) })
    await (await toolSearch.session('a')).turn()
    await (await toolSearch.session('a')).turn({ canSearch: false })
    const session = await toolSearch.session('a')
    await session.turn()
    expect(await session.answer({ name: 'tool_3', arguments: valid })).toMatchObject({
      kind: 'run',
    })
    expect(await session.answer({ name: 'tool_4', arguments: {} })).toMatchObject({
      isError: true,
      data: { problems: ['"id" is required'] },
    })
  })

  it('stay callable when the conversation grows and hides them', async () => {
    const activation = { usageShare: 0.1 }
    const session = await createToolSearch({ tools: tools(3), activation }).session('a')
    await session.turn()
    expect(names(await session.turn({ usedTokens: 50_000 }))).toEqual(['tool_search'])
    expect(await session.answer({ name: 'tool_1', arguments: valid })).toMatchObject({
      kind: 'run',
    })
  })

  it('stay callable when stubs replace their schemas', async () => {
    const toolSearch = createToolSearch({
      tools: tools(10),
      preset: { ...unified, announcement: { ...unified.announcement, stubs: {} } },
    })
    const session = await toolSearch.session('a')
    await session.turn()
    toolSearch.catalogue.add(tools(30, 'late'))
    expect((await session.turn()).hidden).toBe(40)
    expect(await session.answer({ name: 'tool_1', arguments: valid })).toMatchObject({
      kind: 'run',
    })
  })

  it('stay callable if there were too many to record', async () => {
    const toolSearch = createToolSearch({ tools: tools(100), activation: { toolCount: 101 } })
    const session = await toolSearch.session('a')
    expect(names(await session.turn())).toHaveLength(100)
    toolSearch.catalogue.add(toolNamed('late'))
    expect((await session.turn()).hidden).toBe(101)
    expect(await session.answer({ name: 'tool_1', arguments: valid })).toMatchObject({
      kind: 'run',
    })
    expect((await session.snapshot()).record.sent).toEqual([])
  })

  it('are forgotten when the history is compacted', async () => {
    const session = await createToolSearch({ tools: tools(20) }).session('a')
    await session.turn({ canSearch: false })
    await session.turn()
    await session.compacted()
    expect(await session.answer({ name: 'tool_1', arguments: valid })).toMatchObject({
      isError: true,
    })
  })

  it('do not include tools that are always deferred', async () => {
    const rare: ToolDefinition = { ...toolNamed('rare'), loading: 'deferred' }
    const activation = { usageShare: 0.1 }
    const session = await createToolSearch({ tools: [...tools(2), rare], activation }).session('a')
    await session.turn()
    expect(await session.answer({ name: 'rare', arguments: valid })).toMatchObject({
      isError: true,
    })
    await session.turn({ usedTokens: 50_000 })
    expect(await session.answer({ name: 'tool_1', arguments: valid })).toMatchObject({
      kind: 'run',
    })
  })
})

describe('a tool with the name of the search tool', () => {
  const mine: ToolDefinition = { ...toolNamed('tool_search'), description: 'My own search' }

  it('is sent and callable if deferral is off for good', async () => {
    const session = await createToolSearch({ tools: [mine], activation: 'never' }).session('a')
    const turn = await session.turn()
    expect(turn.tools).toMatchObject([{ name: 'tool_search', description: 'My own search' }])
    expect(turn.nameConflicts).toEqual([])
    expect(await session.answer({ name: 'tool_search', arguments: valid })).toMatchObject({
      kind: 'run',
    })
    expect(await session.answer({ name: 'tool_search', arguments: {} })).toMatchObject({
      isError: true,
    })
  })

  it('is reported as a conflict otherwise', async () => {
    const session = await createToolSearch({ tools: [mine] }).session('a')
    expect(await session.turn()).toMatchObject({ tools: [], nameConflicts: ['tool_search'] })
  })
})
