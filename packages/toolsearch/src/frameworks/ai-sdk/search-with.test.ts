import { generateText, isStepCount, toolSearch as toolSearchOfSdk } from 'ai'
import { describe, expect, it } from 'vitest'
import { createToolSearch, type Preset, unified } from '../../index.ts'
import { manyTools, scriptedModel, search, sentNames, someTools } from './ai-sdk.fixtures.ts'
import { searchWith } from './index.ts'

const tools = [
  { name: 'getWeather', description: 'Tells how the sky is' },
  { name: 'send_mail', description: 'Sends letters' },
  { name: 'undescribed' },
]

describe('searchWith', () => {
  it("ranks the tools for the SDK's own search", async () => {
    const model = scriptedModel([search('writing a letter')], 'Done.')
    const deferred = Object.fromEntries(
      Object.entries({ ...someTools(), ...manyTools(30) }).map(([name, one]) => [
        name,
        { ...one, deferLoading: true },
      ]),
    )
    const tool_search = toolSearchOfSdk({ search: searchWith(createToolSearch()), maxResults: 1 })
    await generateText({
      model,
      prompt: 'Write',
      tools: { ...deferred, tool_search },
      stopWhen: isStepCount(5),
    })
    expect(sentNames(model)).toEqual([['tool_search'], ['mail', 'tool_search']])
  })

  it('finds tools outside the catalogue, with our query syntax', async () => {
    const find = searchWith(createToolSearch())
    expect(await find({ query: 'letter', tools })).toEqual(['send_mail'])
    expect(await find({ query: 'wether', tools })).toEqual(['getWeather'])
    expect(await find({ query: 'select:undescribed,getWeather', tools })).toEqual([
      'undescribed',
      'getWeather',
    ])
    expect(await find({ query: 'qwertzuiop', tools })).toEqual([])
    const doubtful = 'grow tomatoes on letters behind the garden shed of a neighbour'
    expect(await find({ query: doubtful, tools })).toEqual(['send_mail'])
  })

  it('works with a preset whose search tool has other arguments', async () => {
    const readArguments: Preset['readArguments'] = (input) => ({
      query: String((input as { words?: unknown }).words ?? ''),
      limit: 1,
    })
    const find = searchWith(createToolSearch({ preset: { ...unified, readArguments } }))
    expect(await find({ query: 'letter', tools })).toEqual(['send_mail'])
  })

  it('also matches what the catalogue knows about a tool', async () => {
    const toolSearch = createToolSearch({
      tools: [
        { name: 'send_mail', searchHint: 'correspondence' },
        {
          name: 'getWeather',
          inputSchema: { type: 'object', properties: { umbrella: { type: 'boolean' } } },
        },
      ],
    })
    const find = searchWith(toolSearch)
    expect(await find({ query: 'correspondence', tools })).toEqual(['send_mail'])
    expect(await find({ query: 'umbrella', tools })).toEqual(['getWeather'])
    toolSearch.catalogue.add({ name: 'undescribed', searchHint: 'mystery' })
    expect(await find({ query: 'mystery', tools })).toEqual(['undescribed'])
  })

  it('finds only tools of the request and leaves the catalogue unchanged', async () => {
    const toolSearch = createToolSearch({ tools: [{ name: 'letter_opener' }] })
    const find = searchWith(toolSearch)
    expect(await find({ query: 'letter', tools })).toEqual(['send_mail'])
    expect(await find({ query: 'letter', tools: [] })).toEqual([])
    expect(toolSearch.catalogue.size).toBe(1)
  })

  it('keeps concurrent searches separate', async () => {
    const find = searchWith(createToolSearch())
    const found = await Promise.all(
      tools.map((tool) => find({ query: `select:${tool.name}`, tools: [tool] })),
    )
    expect(found).toEqual(tools.map(({ name }) => [name]))
  })

  it('continues after a failed search', async () => {
    const find = searchWith(createToolSearch())
    await expect(find({ query: 'a', tools: [{ name: '' }] })).rejects.toThrow()
    expect(await find({ query: 'letter', tools })).toEqual(['send_mail'])
  })
})
