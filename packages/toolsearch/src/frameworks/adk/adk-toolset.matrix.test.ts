// One file for everything that runs ADK, because a process needs two seconds of CPU time to load it.
import { FunctionTool, GOOGLE_SEARCH, LongRunningFunctionTool } from '@google/adk'
import { type CheckingServer, gemini, type Reply } from 'toolsearch-checking-server'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { eachValue } from '../../../../../testing/deep.ts'
import {
  addedTool,
  bridgeHabits,
  EXPECTED,
  longConversation,
  prefixBreaks,
} from '../long-conversation.fixtures.ts'
import { done, start } from './adk.fixtures.ts'
import { adkTools, adkToolset } from './index.ts'

const call = (name: string, input: unknown): Reply => ({ calls: [bridgeHabits.call(name, input)] })
const { search } = bridgeHabits
const found = (name: string) => search(`select:${name}`)
const letter = call('send_letter', { to: 'Ann' })

interface Body {
  systemInstruction: { parts: { text: string }[] }
  contents: { parts: { functionResponse?: { response: object; parts?: object[] } }[] }[]
  tools: { functionDeclarations: { name: string }[] }[]
}

const lastBody = ({ requests }: CheckingServer) => requests.at(-1)!.body as unknown as Body

/** The results of calls in the last request. */
function lastResults(server: CheckingServer) {
  return lastBody(server).contents.flatMap(({ parts }) =>
    parts.flatMap(({ functionResponse }) => functionResponse ?? []),
  )
}

function letterTool(sent: string[]) {
  return new FunctionTool({
    name: 'send_letter',
    description: 'Sends a letter',
    parameters: z.object({ to: z.string() }),
    requireConfirmation: ({ to }) => to === 'Ann',
    execute: ({ to }, context) => {
      sent.push(to)
      return `Sent to ${to} by ${context?.userId}.`
    },
  })
}

/** Answers the confirmation that a run asks for. */
async function confirm(
  { say }: Awaited<ReturnType<typeof start>>,
  events: Awaited<ReturnType<Awaited<ReturnType<typeof start>>['say']>>,
  confirmed: boolean,
): Promise<void> {
  const asked = events
    .flatMap(({ content }) => content?.parts ?? [])
    .find(({ functionCall }) => functionCall?.name === 'adk_request_confirmation')?.functionCall
  expect(JSON.stringify(asked?.args)).toContain('send_letter')
  await say({ functionResponse: { id: asked?.id, name: asked?.name, response: { confirmed } } })
}

describe('adkToolset', () => {
  it('puts the same announcement after the instruction in every request', async () => {
    const { server, say } = await start({ replies: [search('letter'), letter, done] })
    await say('Write to Ann')
    const texts = server.requests.map(({ body }) => JSON.stringify(body.systemInstruction))
    expect(texts[0]).toMatch(/Be brief\..*send_letter/)
    expect(new Set(texts).size).toBe(1)
    expect(lastBody(server).tools[0]!.functionDeclarations.map(({ name }) => name)).toEqual([
      'tool_search',
      'call_tool',
    ])
  })

  it('runs tools of ADK with their context, and asks for the confirmation that they require', async () => {
    const sent: string[] = []
    const started = await start({
      tools: adkTools([letterTool(sent)]),
      replies: [found('send_letter'), call('send_letter', { to: 'Bob' }), letter, done],
    })
    const events = await started.say('Write')
    expect(sent).toEqual(['Bob'])
    await confirm(started, events, true)
    expect(sent).toEqual(['Bob', 'Ann'])
    expect(
      lastResults(started.server)
        .map(({ response }) => response)
        .slice(1),
    ).toEqual([{ output: 'Sent to Bob by ann.' }, { output: 'Sent to Ann by ann.' }])
  })

  it('does not run what a person rejects', async () => {
    const started = await start({
      replies: [found('send_letter'), letter, done],
      options: { requireConfirmation: ({ tool }) => tool.name === 'send_letter' },
    })
    const events = await started.say('Write')
    await confirm(started, events, false)
    expect(started.ran).toEqual([])
    expect(lastResults(started.server).at(-1)!.response).toHaveProperty('error')
  })

  it('asks for no confirmation of a call that cannot run', async () => {
    const { server, say, ran } = await start({
      replies: [letter, done],
      options: { requireConfirmation: () => true },
    })
    await say('Guess')
    expect(JSON.stringify(lastResults(server))).toContain('inputSchema')
    expect(ran).toEqual([])
  })

  it('also runs a found tool that the model calls by its name', async () => {
    const calls = [{ name: 'send_letter', arguments: { to: 'Ann' } }]
    const direct: Reply = { calls, unconstrained: true }
    const { say, ran } = await start({ replies: [search('letter'), direct, done] })
    await say('Write')
    expect(ran).toEqual(['send_letter'])
  })

  it('passes the id of the call and the abort signal of a run to the tool', async () => {
    const controller = new AbortController()
    let signal: AbortSignal | undefined
    let callId: string | undefined
    const { server, say } = await start({
      tools: [
        {
          name: 'slow',
          description: 'Slow',
          execute: (_input, context) => {
            ;({ signal, callId } = context)
            controller.abort(new Error('Stop'))
            return new Promise(() => {})
          },
        },
      ],
      replies: [found('slow'), call('slow', {}), done],
    })
    await say('Go', { abortSignal: controller.signal })
    expect(signal?.aborted).toBe(true)
    expect(callId).toBeTruthy()
    expect(server.requests).toHaveLength(2)
  })

  it('goes on in a second run of another process with the same prefix', async () => {
    const service = gemini()
    const replies = [search('letter'), letter, done, letter, done]
    const { server, say, restart, ran } = await start({ service, replies })
    await say('Write')
    await restart()
    await say('Again')
    expect(ran).toEqual(['send_letter', 'send_letter'])
    expect(prefixBreaks(service, server.requests)).toEqual([])
  })

  it('passes images of an MCP result to the model', async () => {
    const { say, server } = await start({
      tools: [
        {
          name: 'look',
          description: 'Takes a picture',
          execute: () => ({
            content: [
              { type: 'text', text: 'Here' },
              { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' },
              // Gemini rejects requests with this in a response
              { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' },
            ],
          }),
        },
      ],
      replies: [found('look'), call('look', {}), done],
    })
    await say('Look')
    expect(server.requests.filter(({ problem }) => problem)).toEqual([])
    expect(lastResults(server).at(-1)).toMatchObject({
      response: { output: expect.stringMatching(/^Here\n\n\[audio/) },
      parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }],
    })
  })

  it('tells the model about added tools in the next result', async () => {
    const { server, say, toolSearch } = await start({
      replies: [done, search('letter'), done, search('letter'), done],
    })
    await say('Hello')
    toolSearch.catalogue.add([addedTool([])])
    await say('Write')
    await say('Again')
    const news = lastResults(server).map((result) => JSON.stringify(result).includes('play_chess'))
    expect(news).toEqual([true, false])
  })

  it.each([
    ['a found tool', undefined, [found('send_letter'), done], false],
    ['a found tool, in another process', undefined, [found('send_letter'), done], true],
    ['a tool that was never hidden', 'eager' as const, [done], false],
  ])('answers a call by name to %s that was removed', async (_name, loading, first, restarts) => {
    const tools = [
      { name: 'send_letter', description: 'Sends a letter', ...(loading && { loading }) },
      { name: 'other', description: 'Something else' },
    ]
    const calls = [{ name: 'send_letter', arguments: {} }]
    const direct: Reply = { calls, unconstrained: true }
    const replies = [...first, direct, done, done]
    const { server, say, toolSearch, restart } = await start({ tools, replies })
    await say('Hello')
    toolSearch.catalogue.remove('send_letter')
    if (restarts) await restart()
    await say('Write')
    expect(JSON.stringify(lastResults(server).at(-1))).toMatch(
      /is no longer available|There is no tool named/,
    )
    await say('Go on')
    expect(server.requests.flatMap(({ problem }) => problem ?? [])).toEqual([])
  })

  it('rejects what is not a session, and tools that cannot be searched', () => {
    // @ts-expect-error
    expect(() => adkToolset({})).toThrow(/session/)
    expect(() => adkTools([GOOGLE_SEARCH])).toThrow(/google_search/)
    // @ts-expect-error
    expect(() => adkTools(letterTool([]))).toThrow(/use an array/)
    // @ts-expect-error
    expect(() => adkTools([null])).toThrow(/use an array/)
    const wait = new LongRunningFunctionTool({ name: 'wait', description: '', execute: () => '' })
    expect(() => adkTools([wait])).toThrow(/isLongRunning/)
  })
})

describe('a long conversation with ADK', () => {
  it.each(eachValue({ stream: [false, true], expects: [true, false] }))(
    'never fails and never changes the prefix (%o)',
    async ({ stream, expects }) => {
      const service = gemini()
      const turns = longConversation(bridgeHabits, { expects })
      const { ran, toolSearch, server, say } = await start({
        service,
        replies: turns.flatMap(({ replies }) => [...replies, done]),
        options: { expect: expects },
      })
      for (const { say: text, change, runs } of turns) {
        if (change?.add) toolSearch.catalogue.add([addedTool(ran)])
        if (change?.remove) toolSearch.catalogue.remove(change.remove)
        ran.length = 0
        await say(text, { stream })
        expect(ran, text).toEqual(runs)
      }
      expect(server.requests.map(({ problem }) => problem?.body).filter(Boolean)).toEqual([])
      expect(server.requests.length).toBeGreaterThan(30)
      expect(prefixBreaks(service, server.requests)).toEqual([])
      expect(server.requests.at(-1)!.text.split(EXPECTED)).toHaveLength(expects ? 2 : 1)
    },
  )
})

describe('adkTools', () => {
  it('reads the schemas of tools of ADK', () => {
    const tool = new FunctionTool({
      name: 'sum',
      description: 'Adds numbers',
      parameters: z.object({ numbers: z.array(z.number()).min(1) }),
      execute: ({ numbers }) => numbers.length,
    })
    expect(adkTools([tool])[0]!.inputSchema).toMatchObject({
      type: 'object',
      properties: { numbers: { type: 'array', items: { type: 'number' } } },
      required: ['numbers'],
    })
  })
})
