import { describe, expect, it } from 'vitest'
import { createToolSearch, type ToolDefinition, unified } from '../index.ts'
import type { Ranker } from '../rankers.ts'

const tools = (count: number): ToolDefinition[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `mcp__server_${index % 200}__create_or_update_${index}`,
  }))
/** Ranks nothing: these tests do not search, and indexing 10,000 tools takes a second. */
const ranker = (): Ranker => ({ name: 'none', set() {}, delete() {}, rank: () => ({ hits: [] }) })

describe('the record of a session', () => {
  it('takes less than 4 kB with 20 loads at 10,000 tools', async () => {
    const many = tools(10_000)
    const session = await createToolSearch({ tools: many, ranker }).session('a')
    await session.turn()
    for (const { name } of many.slice(0, 20)) {
      await session.load([name])
      await session.turn()
    }
    const json = JSON.stringify(await session.snapshot())
    expect(json.length).toBeLessThan(4_000)
    expect(session.loaded).toHaveLength(20)
  })

  it('grows only by the names of new tools', async () => {
    const toolSearch = createToolSearch({ tools: tools(50), ranker })
    const session = await toolSearch.session('a')
    const { system } = await session.turn()
    const before = JSON.stringify(await session.snapshot()).length
    let names = 0
    for (let i = 0; i < 20; i++) {
      toolSearch.catalogue.add({ name: `late_${i}` })
      expect(await session.turn()).toMatchObject({
        system,
        notice: `New tools available through search:\n- late_${i}`,
      })
      names += JSON.stringify(`late_${i}`).length + 1
    }
    // the record keeps the new names, but no text
    const grown = JSON.stringify(await session.snapshot()).length - before
    expect(grown).toBeLessThan(names + 20)
  })
})

describe('an announcement', () => {
  it('is written once for all turns of all sessions with the same access', async () => {
    let written = 0
    const text: typeof unified.announcement.text = (list, name) => {
      written++
      return unified.announcement.text(list, name)
    }
    const toolSearch = createToolSearch({
      tools: tools(50),
      preset: { ...unified, announcement: { ...unified.announcement, text } },
    })
    const visible = tools(30).map(({ name }) => name)
    for (const id of ['a', 'b']) {
      const session = await toolSearch.session(id)
      const restricted = await toolSearch.session(`${id} restricted`, { visible })
      for (let i = 0; i < 3; i++) {
        await session.turn()
        await restricted.turn()
      }
    }
    expect(written).toBe(2)
  })

  it('is the same after a restart, whatever was loaded and in whatever order tools connect', async () => {
    const open = (list: ToolDefinition[]) => createToolSearch({ tools: list })
    const session = await open(tools(50)).session('a')
    const { system } = await session.turn()
    await session.search({ query: `select:${tools(3)[2]!.name}` })
    const restarted = open(tools(50).toReversed())
    const turn = await (await restarted.restore(await session.snapshot())).turn()
    expect(turn.system).toBe(system)
    expect(turn.notice).toBeUndefined()
  })

  it('never names a tool that the caller may no longer see, not even as removed', async () => {
    const list = tools(20)
    const [secret, removed] = [list[3]!.name, list[4]!.name]
    const toolSearch = createToolSearch({ tools: list, ranker })
    const open = await toolSearch.session('a')
    expect((await open.turn()).system).toContain(secret)
    // a notice reports the removal, but the repeated list still names the tool
    toolSearch.catalogue.remove(removed)
    expect((await open.turn()).notice).toContain(removed)
    const visible = list.map(({ name }) => name).filter((name) => name !== removed)
    const narrower = await toolSearch.session('a', { visible })
    expect(JSON.stringify(await narrower.turn())).not.toContain(removed)
    const narrow = await toolSearch.session('a', {
      visible: visible.filter((name) => name !== secret),
    })
    toolSearch.catalogue.remove(secret)
    for (let i = 0; i < 2; i++) {
      expect(JSON.stringify(await narrow.turn())).not.toContain(secret)
    }
  })
})
