import { describe, expect, it } from 'vitest'
import { everruns } from '../index.ts'
import { createToolSearch } from '../toolsearch.ts'

const appendOnly = { hiddenAs: 'stubs' } as const
const tool = (name: string) => ({ name, description: `Does ${name}.` })
const tools = ['one', 'two', 'three'].map(tool)

async function open() {
  const toolSearch = createToolSearch({ preset: everruns, tools, activation: 'always' })
  return { toolSearch, session: await toolSearch.session('a') }
}

describe('the stubs of a conversation', () => {
  it('stay listed when tools are added and removed, and the changes are announced', async () => {
    const { toolSearch, session } = await open()
    const first = await session.turn({ appendOnly })
    toolSearch.catalogue.remove('two')
    toolSearch.catalogue.add(tool('four'))
    const second = await session.turn({ appendOnly })
    expect(second.tools).toEqual(first.tools)
    expect(second.notice).toMatch(/New tools.*four.*No longer available:\n- two/s)
    expect((await session.turn({ appendOnly })).notice).toBeUndefined()
  })

  it('are those of another object of the same conversation', async () => {
    const { toolSearch, session } = await open()
    const first = await session.turn({ appendOnly })
    const snapshot = JSON.parse(JSON.stringify(await session.snapshot()))
    toolSearch.catalogue.add(tool('four'))
    const restored = await createToolSearch({
      preset: everruns,
      tools: [...tools, tool('four')],
      activation: 'always',
    }).restore(snapshot)
    expect((await restored.turn({ appendOnly })).tools).toEqual(first.tools)
  })

  it('are all current tools if nobody remembers the first list', async () => {
    const { session } = await open()
    await session.turn({ appendOnly })
    const { record, ...snapshot } = await session.snapshot()
    const restored = await createToolSearch({
      preset: everruns,
      tools: [...tools, tool('four')],
      activation: 'always',
    }).restore({ ...snapshot, record: { ...record, stubs: 'forgotten' } })
    const { tools: listed } = await restored.turn({ appendOnly })
    expect(listed.map(({ name }) => name)).toEqual(['tool_search', 'one', 'two', 'three', 'four'])
  })

  it('do not include a tool that the caller may no longer see', async () => {
    const toolSearch = createToolSearch({ preset: everruns, tools, activation: 'always' })
    const first = await toolSearch.session('a', { visible: ['one', 'two', 'three'] })
    await first.turn({ appendOnly })
    const reduced = await toolSearch.session('a', { visible: ['one'] })
    const { tools: listed } = await reduced.turn({ appendOnly })
    expect(listed.map(({ name }) => name)).toEqual(['tool_search', 'one'])
  })
})
