import { describe, expect, it } from 'vitest'
import { createCatalogue } from '../catalogue/catalogue.ts'
import { everruns } from '../index.ts'
import { estimateTokens } from '../tokens/estimate-tokens.ts'
import { createToolSearch } from '../toolsearch.ts'
import { createStubLists } from './stub-lists.ts'
import { createDivider } from './tool-division.ts'

const appendOnly = { reveal: 'stub' } as const
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
    const restored = await toolSearch.restore(snapshot)
    const second = await restored.turn({ appendOnly })
    expect(second.tools).toEqual(first.tools)
    expect(second.isListExtended).toBe(false)
  })

  it('do not depend on conversations of other tool searches', async () => {
    const { toolSearch, session } = await open()
    const first = await session.turn({ appendOnly })
    for (let at = 0; at < 150; at += 1) {
      const other = createToolSearch({ preset: everruns, tools: [tool(`other_${at}`)] })
      await (await other.session('a')).turn({ appendOnly })
    }
    toolSearch.catalogue.add(tool('four'))
    expect((await session.turn({ appendOnly })).tools).toEqual(first.tools)
  })

  it('are remembered for more than 100 lists', async () => {
    const { toolSearch, session } = await open()
    const first = await session.turn({ appendOnly })
    for (let at = 0; at < 150; at += 1) {
      const own = { tools: [tool(`own_${at}`)] }
      await (await toolSearch.session(`other ${at}`, own)).turn({ appendOnly })
    }
    toolSearch.catalogue.add(tool('four'))
    expect((await session.turn({ appendOnly })).tools).toEqual(first.tools)
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
    const turn = await restored.turn({ appendOnly })
    const listed = turn.tools.map(({ name }) => name)
    expect(listed).toEqual(['tool_search', 'one', 'two', 'three', 'four'])
    expect(turn.isListExtended).toBe(true)
    // the next turn continues the new list
    expect((await restored.turn({ appendOnly })).isListExtended).toBe(false)
  })

  it('are the same ones in another process with the same tools', async () => {
    const { session } = await open()
    const first = await session.turn({ appendOnly })
    const restored = await (await open()).toolSearch.restore(await session.snapshot())
    const second = await restored.turn({ appendOnly })
    expect(second.tools).toEqual(first.tools)
    expect(second.isListExtended).toBe(false)
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

describe('createStubLists', () => {
  it('forgets the lists used longest ago, but never the current one', () => {
    const divisionOf = (...names: string[]) =>
      createDivider({
        catalogue: createCatalogue(names.map(tool)),
        policy: {},
        searchToolName: 'tool_search',
        countTokens: estimateTokens,
        neverDefer: false,
      })()
    const lists = createStubLists(4)
    const find = (digest: string | undefined, ...names: string[]) =>
      lists.find(digest, divisionOf(...names), {}, 'tool_search')
    const ab = find(undefined, 'a', 'b')
    const cd = find(undefined, 'c', 'd')
    expect(find(ab.digest, 'x')).toBe(ab)
    const large = find(undefined, 'a', 'b', 'c', 'd', 'e')
    expect(find(large.digest, 'x')).toBe(large)
    expect(find(ab.digest, 'x')).not.toBe(ab)
    expect(find(cd.digest, 'y')).not.toBe(cd)
    expect(find(cd.digest, 'z').entries.has('z')).toBe(true)
  })
})
