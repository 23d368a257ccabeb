import { describe, expect, it } from 'vitest'
import { addedTool, conversationTools } from '../frameworks/long-conversation.fixtures.ts'
import { createToolSearch } from '../toolsearch.ts'
import { type BridgeOptions, createBridge } from './bridge.ts'

async function start(options?: BridgeOptions) {
  const ran: string[] = []
  const toolSearch = createToolSearch({ tools: conversationTools(ran), activation: 'always' })
  const session = await toolSearch.session('a')
  return { ran, toolSearch, session, bridge: createBridge(session, options) }
}

describe('a bridge', () => {
  it('finds a tool, shows its schema and calls it', async () => {
    const { bridge, ran } = await start()
    await bridge.announce()
    const found = await bridge.search({ query: 'send a letter' })
    expect(found.text).toContain('"to"')
    const done = await bridge.call({ name: 'send_letter', arguments: { to: 'Ann' } })
    expect(done).toMatchObject({ kind: 'answer', text: 'send_letter is done.', isError: false })
    expect(ran).toEqual(['send_letter'])
  })

  it('never lists a tool that was found, and announces the same block in every request', async () => {
    const { bridge } = await start()
    const first = await bridge.announce()
    await bridge.search({ query: 'send a letter' })
    const second = await bridge.announce()
    expect(second).toEqual(first)
    expect(first).toMatchObject({ tools: [], isActive: true })
    expect(first.system).toContain('send_letter')
  })

  it('answers a call with guessed arguments with the schema, and does not run it', async () => {
    const { bridge, ran } = await start()
    await bridge.announce()
    const input = { name: 'weather_report', arguments: { town: 'Ulm' } }
    const answer = await bridge.call(input)
    expect(answer).toMatchObject({ kind: 'answer', isError: true })
    expect(JSON.stringify(answer)).toContain('city')
    expect(ran).toEqual([])
  })

  it('checks a call without running it', async () => {
    const { bridge, ran } = await start()
    await bridge.announce()
    await bridge.search({ query: 'select:send_letter' })
    const checked = await bridge.check({ name: 'send_letter', arguments: { to: 'Ann' } })
    expect(checked).toMatchObject({ kind: 'run', arguments: { to: 'Ann' } })
    expect(ran).toEqual([])
  })

  it('returns news from the next announcement', async () => {
    const { bridge, toolSearch } = await start()
    await bridge.announce()
    toolSearch.catalogue.add([addedTool([])])
    expect((await bridge.announce()).notice).toContain('play_chess')
    expect((await bridge.announce()).notice).toBeUndefined()
  })

  it('returns the parts of an MCP result and its error flag', async () => {
    const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' }
    const output = { content: [image], isError: true }
    const toolSearch = createToolSearch({
      tools: [{ name: 'show', execute: () => output }],
      activation: 'always',
      unloadedCalls: 'allow',
    })
    const bridge = createBridge(await toolSearch.session('a'))
    expect(await bridge.call({ name: 'show', arguments: {} })).toEqual({
      kind: 'answer',
      text: '[image (image/png, 3 bytes)]',
      parts: [image],
      isError: true,
      output,
    })
  })

  it('adds news to the next answer, if the framework cannot append messages', async () => {
    const { bridge, toolSearch } = await start({ news: 'results' })
    await bridge.announce()
    toolSearch.catalogue.add([addedTool([])])
    expect((await bridge.announce()).notice).toBeUndefined()
    const { text, parts, news } = await bridge.search({ query: 'thing' })
    expect(news).toContain('play_chess')
    expect(text.endsWith(news!)).toBe(true)
    expect(parts).toHaveLength(2)
    expect((await bridge.search({ query: 'thing' })).text).not.toContain('play_chess')
  })

  it('turns what a tool returned elsewhere into an answer, with the news', async () => {
    const { bridge, toolSearch } = await start({ news: 'results' })
    await bridge.announce()
    toolSearch.catalogue.add([addedTool([])])
    await bridge.announce()
    const { text, parts } = bridge.answer('Sent.')
    expect(parts[0]).toEqual({ type: 'text', text: 'Sent.' })
    expect(text).toContain('play_chess')
    expect(bridge.answer(new Error('No paper'))).toMatchObject({ text: 'No paper', isError: true })
  })
})
