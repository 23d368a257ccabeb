import { describe, expect, it } from 'vitest'
import type { ExecuteContext, ToolDefinition } from '../catalogue/tool.ts'
import { addedTool, conversationTools } from '../frameworks/long-conversation.fixtures.ts'
import type { RunnableCall } from '../tool-search/call-result.ts'
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
    await bridge.planRequest()
    const found = await bridge.search({ query: 'send a letter' })
    expect(found.text).toContain('"to"')
    expect(found.text).toContain('You can call it now with call_tool.')
    const again = await bridge.search({ query: 'select:send_letter' })
    expect(again.text).toContain('You already have this tool. Call it with call_tool.')
    const done = await bridge.call({ name: 'send_letter', arguments: { to: 'Ann' } })
    expect(done).toMatchObject({ kind: 'answer', text: 'send_letter is done.', isError: false })
    expect(ran).toEqual(['send_letter'])
  })

  it('never lists a tool that was found, and every plan has the same block', async () => {
    const { bridge } = await start()
    const first = await bridge.planRequest()
    await bridge.search({ query: 'send a letter' })
    const second = await bridge.planRequest()
    expect(second).toEqual(first)
    expect(first).toMatchObject({ tools: [], isActive: true })
    expect(first.system).toContain('send_letter')
  })

  it('answers a call with guessed arguments with the schema, and does not run it', async () => {
    const { bridge, ran } = await start()
    await bridge.planRequest()
    const input = { name: 'weather_report', arguments: { town: 'Ulm' } }
    const answer = await bridge.call(input)
    expect(answer).toMatchObject({ kind: 'answer', isError: true })
    expect(JSON.stringify(answer)).toContain('city')
    expect(ran).toEqual([])
  })

  it('checks a call without running it', async () => {
    const { bridge, ran } = await start()
    await bridge.planRequest()
    await bridge.search({ query: 'select:send_letter' })
    const checked = await bridge.check({ name: 'send_letter', arguments: { to: 'Ann' } })
    expect(checked).toMatchObject({ kind: 'run', arguments: { to: 'Ann' } })
    expect(ran).toEqual([])
  })

  it('returns news from the plan of the next request', async () => {
    const { bridge, toolSearch } = await start()
    await bridge.planRequest()
    toolSearch.catalogue.add([addedTool([])])
    expect((await bridge.planRequest()).notice).toContain('play_chess')
    expect((await bridge.planRequest()).notice).toBeUndefined()
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
    await bridge.planRequest()
    toolSearch.catalogue.add([addedTool([])])
    expect((await bridge.planRequest()).notice).toBeUndefined()
    const { text, parts, news } = await bridge.search({ query: 'thing' })
    expect(news).toContain('play_chess')
    expect(text.endsWith(news!)).toBe(true)
    expect(parts).toHaveLength(2)
    expect((await bridge.search({ query: 'thing' })).text).not.toContain('play_chess')
  })

  it('runs a checked call, with the id that the framework gives it', async () => {
    const contexts: ExecuteContext[] = []
    const tool: ToolDefinition = {
      name: 'show',
      execute(_input, context) {
        contexts.push(context)
        return { content: [{ type: 'text', text: 'Shown.' }], isError: true }
      },
    }
    const toolSearch = createToolSearch({
      tools: [tool, { name: 'remote' }],
      unloadedCalls: 'allow',
    })
    const bridge = createBridge(await toolSearch.session('a'))
    const checked = await bridge.check({ name: 'show', arguments: {} })
    const { signal } = new AbortController()
    const done = await bridge.execute(checked as RunnableCall, { signal, callId: 'call-1' })
    expect(done).toMatchObject({ kind: 'answer', text: 'Shown.', isError: true })
    await bridge.call({ name: 'show', arguments: {} }, { callId: 'call-2' })
    await bridge.call({ name: 'show', arguments: {} })
    expect(contexts.map(({ callId }) => callId)).toEqual(['call-1', 'call-2', undefined])
    expect(contexts[0]!.signal).toBe(signal)
    const remote = await bridge.check({ name: 'remote', arguments: {} })
    expect(await bridge.execute(remote as RunnableCall)).toMatchObject({
      text: 'The tool "remote" cannot run here: it has no execute function.',
      isError: true,
    })
    await expect(bridge.execute(undefined as never)).rejects.toThrow('Not a tool call')
  })

  describe('before deferral starts', () => {
    const names = (tools: readonly { name: string }[]) => tools.map(({ name }) => name).sort()

    it('keeps listing a tool that was called', async () => {
      const toolSearch = createToolSearch({
        tools: conversationTools([], 100),
        activation: { toolCount: 1000 },
      })
      const bridge = createBridge(await toolSearch.session('a'))
      const first = await bridge.planRequest()
      await bridge.call({ name: 'send_letter', arguments: { to: 'Ann' } })
      expect(await bridge.planRequest()).toEqual(first)
      expect(first.isActive).toBe(false)
    })

    it('loads tools that stay listed when the conversation grows', async () => {
      const toolSearch = createToolSearch({
        tools: conversationTools([]),
        activation: { usageShare: 0.5 },
        contextWindow: 1000,
      })
      const bridge = createBridge(await toolSearch.session('a'))
      await bridge.planRequest()
      await bridge.call({ name: 'send_letter', arguments: { to: 'Ann' } })
      expect(await bridge.planRequest({ usedTokens: 100 })).toMatchObject({ isActive: false })
      const started = await bridge.planRequest({ usedTokens: 600 })
      expect(started.isActive).toBe(true)
      expect(names(started.tools)).toEqual(['send_letter'])
      await bridge.search({ query: 'select:weather_report' })
      expect(await bridge.planRequest({ usedTokens: 700 })).toEqual(started)
    })

    it('does not list a tool that a search found, because it is always hidden', async () => {
      const toolSearch = createToolSearch({
        tools: [{ name: 'show', loading: 'deferred' }, { name: 'hide' }],
      })
      const bridge = createBridge(await toolSearch.session('a'))
      const first = await bridge.planRequest()
      await bridge.search({ query: 'select:show,hide' })
      expect(names(first.tools)).toEqual(['hide'])
      expect(await bridge.planRequest()).toEqual(first)
    })
  })

  it('rejects wrong options', async () => {
    const { session } = await start()
    // @ts-expect-error
    expect(() => createBridge(session, { news: 'result' })).toThrow('news is "result"')
    // @ts-expect-error
    expect(() => createBridge(session, { new: 'results' })).toThrow('Did you mean "news"?')
  })

  it('turns what a tool returned elsewhere into an answer, with the news', async () => {
    const { bridge, toolSearch } = await start({ news: 'results' })
    await bridge.planRequest()
    toolSearch.catalogue.add([addedTool([])])
    await bridge.planRequest()
    const { text, parts } = bridge.answer('Sent.')
    expect(parts[0]).toEqual({ type: 'text', text: 'Sent.' })
    expect(text).toContain('play_chess')
    expect(bridge.answer(new Error('No paper'))).toMatchObject({ text: 'No paper', isError: true })
  })
})
