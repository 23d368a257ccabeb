import { Agent, MemorySession, RunState, tool, webSearchTool } from '@openai/agents'
import { type CheckingServer, openaiResponses, type Reply } from 'toolsearch-checking-server'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createToolSearch } from '../../toolsearch.ts'
import {
  addedTool,
  bridgeHabits,
  conversationTools,
  EXPECTED,
  prefixBreaks,
} from '../long-conversation.fixtures.ts'
import { agentTools, openaiAgents } from './index.ts'
import { createAgent, createRunner, done, native, start } from './openai-agents.fixtures.ts'
import type { AgentTool } from './sdk-shapes.ts'

const call = (name: string, input: unknown): Reply => ({ calls: [bridgeHabits.call(name, input)] })
const { search } = bridgeHabits

/** The results of calls in the last request. */
function lastResults({ requests }: CheckingServer): unknown[] {
  const { input } = requests.at(-1)!.body as { input: { type: string; output: unknown }[] }
  return input.filter(({ type }) => type === 'function_call_output').map(({ output }) => output)
}

describe('openaiAgents', () => {
  const found = (name: string) => search(`select:${name}`)
  const letter = call('send_letter', { to: 'Ann' })

  it('puts the same announcement after the instructions in every request', async () => {
    const { agent, runner, server } = await start({
      replies: [search('letter'), letter, done],
      options: { instructions: async () => 'Be brief.' },
    })
    await runner.run(agent, 'Write to Ann')
    const instructions = server.requests.map(({ body }) => body.instructions as string)
    expect(instructions[0]).toMatch(/^Be brief\.\n\n/)
    expect(instructions[0]).toContain('send_letter')
    expect(new Set(instructions).size).toBe(1)
  })

  it('lists all tools and no search tool, if nothing is hidden', async () => {
    const { server } = await start()
    const toolSearch = createToolSearch({ tools: conversationTools([], 0), activation: 'never' })
    for (const options of [{}, { native }]) {
      const settings = await openaiAgents(await toolSearch.session('a'), options)
      const agent = createAgent(settings)
      await createRunner(server, openaiResponses()).run(agent, 'Hello')
      const { tools } = server.requests.at(-1)!.body as { tools: { name: string }[] }
      expect(tools.map(({ name }) => name)).toEqual(['send_letter', 'weather_report', 'draw_zebra'])
    }
  })

  it('lists the search tool in the first request whose instructions mention it', async () => {
    const { server, runner } = await start({ replies: [done, done] })
    const toolSearch = createToolSearch({ tools: conversationTools([], 0) })
    const agent = createAgent(await openaiAgents(await toolSearch.session('threshold')))
    await runner.run(agent, 'Hello')
    toolSearch.catalogue.add(Array.from({ length: 30 }, (_, at) => ({ name: `added_${at}` })))
    await runner.run(agent, 'Hello again')
    const offers = server.requests.map(({ body }) => [
      JSON.stringify(body.tools).includes('"tool_search"'),
      String(body.instructions).includes('tool_search'),
    ])
    expect(offers).toEqual([
      [false, false],
      [true, true],
    ])
  })

  it('sends only the search tool and a namespace to the model, with the native search', async () => {
    const { agent, runner, server } = await start({ options: { native } })
    await runner.run(agent, 'Hello')
    const prompt = openaiResponses().promptOf(server.requests[0]!.body)
    expect(prompt.filter((part) => part.startsWith('{"type":'))).toHaveLength(2)
  })

  it('asks for the approval that a tool of the SDK needs, and runs it after it', async () => {
    const sent: string[] = []
    const letterTool = tool({
      name: 'send_letter',
      description: 'Sends a letter',
      parameters: z.object({ to: z.string() }),
      needsApproval: async (_context, { to }) => to === 'Ann',
      execute: ({ to }, context) => {
        sent.push(to)
        return `Sent to ${to} by ${(context!.context as { user: string }).user}.`
      },
    })
    const { agent, runner, server } = await start({
      tools: agentTools([letterTool]),
      replies: [found('send_letter'), call('send_letter', { to: 'Bob' }), letter, done],
    })
    const result = await runner.run(agent, 'Write', { context: { user: 'Eve' } })
    expect(sent).toEqual(['Bob'])
    const [interruption] = result.interruptions
    expect(interruption!.name).toBe('call_tool')
    expect(interruption!.arguments).toContain('send_letter')
    result.state.approve(interruption!)
    await runner.run(agent, result.state)
    expect(sent).toEqual(['Bob', 'Ann'])
    expect(lastResults(server).slice(1)).toEqual(['Sent to Bob by Eve.', 'Sent to Ann by Eve.'])
  })

  it('runs an approved call after the state of the run was stored', async () => {
    const { agent, runner, ran } = await start({
      replies: [found('send_letter'), letter, done],
      options: { needsApproval: () => true },
    })
    const { state } = await runner.run(agent, 'Write')
    const restored = await RunState.fromString(agent, state.toString())
    restored.approve(restored.getInterruptions()[0]!)
    await runner.run(agent, restored)
    expect(ran).toEqual(['send_letter'])
  })

  it('does not run a tool of the SDK that is not enabled', async () => {
    const secret = tool({
      name: 'secret',
      description: 'Tells a secret',
      parameters: z.object({}),
      isEnabled: ({ runContext, agent }) => runContext.context === 'admin' && agent.name === 'Test',
      execute: () => 'The secret',
    })
    for (const options of [{}, { native }]) {
      const reply: Reply = options.native
        ? { clientSearch: { arguments: { query: 'select:secret' } } }
        : found('secret')
      const use: Reply = options.native
        ? { calls: [{ name: 'secret', arguments: {} }] }
        : call('secret', {})
      const { agent, runner, server } = await start({
        tools: agentTools([secret]),
        replies: [reply, { ...use, unconstrained: true }, done, reply, use, done],
        options,
      })
      await runner.run(agent, 'Tell', { context: 'guest' })
      expect(lastResults(server).at(-1)).not.toBe('The secret')
      await runner.run(agent, 'Tell', { context: 'admin' })
      expect(lastResults(server).at(-1)).toBe('The secret')
      await server.close()
    }
  })

  it('works with a conversation that OpenAI stores', async () => {
    const { agent, runner, server, ran } = await start({
      replies: [search('letter'), letter, done, letter, done],
    })
    const { lastResponseId } = await runner.run(agent, 'Write')
    await runner.run(agent, 'Again', { previousResponseId: lastResponseId! })
    expect(ran).toEqual(['send_letter', 'send_letter'])
    expect(server.requests.every(({ problem }) => problem === undefined)).toBe(true)
  })

  it('describes an expected tool once in a conversation that OpenAI stores', async () => {
    const { agent, runner, server, ran, settings } = await start({
      replies: [letter, done, letter, done],
      options: { expect: true },
    })
    const { callModelInputFilter } = settings
    const said = 'Send a letter to the person Ann'
    const { lastResponseId } = await runner.run(agent, said, { callModelInputFilter })
    const previousResponseId = lastResponseId!
    await runner.run(agent, 'Again', { callModelInputFilter, previousResponseId })
    expect(ran).toEqual(['send_letter', 'send_letter'])
    expect(server.requests.every(({ problem }) => problem === undefined)).toBe(true)
    const last = server.requests.filter(({ text }) => text.includes('previous_response_id'))
    expect(last.filter(({ text }) => text.includes(EXPECTED))).toEqual([])
  })

  it('asks for no approval of a call that cannot run', async () => {
    const { agent, runner, ran, server } = await start({
      replies: [letter, letter, done],
      options: { needsApproval: ({ tool: { name } }) => name === 'send_letter' },
    })
    const result = await runner.run(agent, 'Guess')
    expect(lastResults(server)).toEqual([expect.stringContaining('"to"')])
    expect(result.interruptions).toHaveLength(1)
    expect(ran).toEqual([])
    result.state.reject(result.interruptions[0]!)
    await runner.run(agent, result.state)
    expect(ran).toEqual([])
  })

  it('runs guardrails and timeouts of a tool of the SDK', async () => {
    const never = tool({
      name: 'never',
      description: 'Never ends',
      parameters: z.object({}),
      timeoutMs: 20,
      execute: () => new Promise<string>(() => {}),
    })
    const guarded = tool({
      name: 'guarded',
      description: 'Guarded',
      parameters: z.object({ secret: z.string() }),
      inputGuardrails: [
        {
          name: 'no secrets',
          run: async ({ toolCall }) => ({
            behavior:
              toolCall.name === 'guarded' && toolCall.arguments.includes('"secret":"x"')
                ? { type: 'rejectContent', message: 'No secrets.' }
                : { type: 'allow' },
          }),
        },
      ],
      outputGuardrails: [
        {
          name: 'no leaks',
          run: async ({ output }) => ({
            behavior:
              output === 'leak'
                ? { type: 'rejectContent', message: 'No leaks.' }
                : { type: 'allow' },
          }),
        },
      ],
      execute: () => 'leak',
    })
    const { agent, runner, server } = await start({
      tools: agentTools([never, guarded]),
      replies: [
        found('never,guarded'),
        call('never', {}),
        call('guarded', { secret: 'x' }),
        call('guarded', { secret: 'y' }),
        done,
      ],
    })
    await runner.run(agent, 'Go')
    expect(lastResults(server).slice(1)).toEqual([
      expect.stringContaining('timed out'),
      'No secrets.',
      'No leaks.',
    ])
  })

  it('gives each tool a name of its own, if the API does not accept theirs', async () => {
    const ran: string[] = []
    const names = ['a.b', 'a_b', `a${'b'.repeat(64)}`, `a${'b'.repeat(65)}`]
    const { settings, agent, runner, server } = await start({
      tools: names.map((name) => ({
        name,
        loading: 'eager',
        execute: () => ran.push(name),
      })),
    })
    await runner.run(agent, 'Go')
    const { tools } = server.requests[0]!.body as { tools: { name: string }[] }
    expect(new Set(tools.map(({ name }) => name)).size).toBe(4)
    expect(tools.map(({ name }) => name)).toContain('a_b')
    for (const tool of settings.tools) await (tool as AgentTool).invoke({}, '{}')
    expect(ran).toEqual(names)
  })

  it('answers a call to a tool that it cannot run', async () => {
    const { agent, runner, server } = await start({
      tools: [{ name: 'remote' }],
      replies: [found('remote'), call('remote', {}), done],
    })
    await runner.run(agent, 'Go')
    expect(lastResults(server).at(-1)).toContain('has no execute function')
  })

  it('passes the id of the call and the abort signal of a run to the tool', async () => {
    const controller = new AbortController()
    let signal: AbortSignal | undefined
    let callId: string | undefined
    const { agent, runner, server } = await start({
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
    await expect(runner.run(agent, 'Go', { signal: controller.signal })).rejects.toThrow()
    expect(signal?.aborted).toBe(true)
    expect(callId).toMatch(/^call_/)
    expect(server.requests).toHaveLength(2)
  })

  it('goes on in a second run of another process with the same prefix', async () => {
    const service = openaiResponses()
    const replies = [search('letter'), letter, done, letter, done]
    const { agent, runner, toolSearch, ran, server } = await start({ service, replies })
    const memory = new MemorySession()
    await runner.run(agent, 'Write', { session: memory })
    const again = await openaiAgents(await toolSearch.session('a'))
    const other = createAgent(again)
    await createRunner(server, service).run(other, 'Again', { session: memory })
    expect(ran).toEqual(['send_letter', 'send_letter'])
    expect(prefixBreaks(service, server.requests)).toEqual([])
  })

  it('goes on in a second run with the native search, though the SDK forgot what it loaded', async () => {
    const service = openaiResponses()
    const query = { arguments: { query: 'select:play_chess' } }
    const chess: Reply = { calls: [{ name: 'play_chess', arguments: { move: 'e4' } }] }
    const { agent, runner, toolSearch, ran, server } = await start({
      service,
      replies: [{ clientSearch: query }, chess, done, chess, done],
      options: { native },
    })
    toolSearch.catalogue.add([addedTool(ran)])
    const memory = new MemorySession()
    await runner.run(agent, 'Play', { session: memory })
    await runner.run(agent, 'Again', { session: memory })
    expect(ran).toEqual(['play_chess', 'play_chess'])
    expect(prefixBreaks(service, server.requests)).toEqual([])
  })

  it('keeps working after a handoff to an agent with the same session', async () => {
    const { settings, runner, ran } = await start({
      replies: [
        { calls: [{ name: 'transfer_to_Writer', arguments: {} }] },
        search('letter'),
        letter,
        done,
      ],
    })
    const writer = createAgent(settings, 'Writer')
    const desk = new Agent({ name: 'Desk', model: 'gpt-5.4', handoffs: [writer], ...settings })
    const { lastAgent } = await runner.run(desk, 'Write')
    expect(lastAgent?.name).toBe('Writer')
    expect(ran).toEqual(['send_letter'])
  })

  it('passes images of a tool of the SDK to the model', async () => {
    const look = tool({
      name: 'look',
      description: 'Takes a picture',
      parameters: z.object({}),
      execute: () => ({ type: 'image', image: 'data:image/png;base64,AAAA' }),
    })
    const { agent, runner, server } = await start({
      tools: agentTools([look]),
      replies: [found('look'), call('look', {}), done],
    })
    await runner.run(agent, 'Look')
    expect(lastResults(server).at(-1)).toEqual([
      expect.objectContaining({ type: 'input_image', image_url: 'data:image/png;base64,AAAA' }),
    ])
  })

  it('passes images of an MCP result to the model', async () => {
    const { agent, runner, server } = await start({
      tools: [
        {
          name: 'look',
          description: 'Takes a picture',
          execute: () => ({
            content: [
              { type: 'text', text: 'Here' },
              { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' },
            ],
          }),
        },
      ],
      replies: [found('look'), call('look', {}), done],
    })
    await runner.run(agent, 'Look')
    expect(lastResults(server).at(-1)).toEqual([
      { type: 'input_text', text: 'Here' },
      { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' },
    ])
  })

  it('tells the model about added tools in the next result', async () => {
    const { agent, runner, toolSearch, server } = await start({
      replies: [done, search('letter'), done, search('letter'), done],
    })
    await runner.run(agent, 'Hello')
    toolSearch.catalogue.add([addedTool([])])
    await runner.run(agent, 'Write')
    expect(lastResults(server).at(-1)).toContain('play_chess')
    await runner.run(agent, 'Again')
    expect(lastResults(server).at(-1)).not.toContain('play_chess')
  })

  it('rejects what is not a session, unknown options, and tools that cannot be searched', async () => {
    const { session } = await start()
    // @ts-expect-error
    await expect(openaiAgents({})).rejects.toMatchObject({ code: 'invalid_option' })
    // @ts-expect-error
    await expect(openaiAgents(session, { mode: 'x' })).rejects.toThrow(/mode/)
    // @ts-expect-error
    await expect(openaiAgents(session, { native: {} })).rejects.toThrow(/toolSearchTool/)
    await expect(openaiAgents(session, { native, expect: true })).rejects.toThrow(/native/)
    // @ts-expect-error
    await expect(openaiAgents(session, { expect: 'words' })).rejects.toThrow(/expect/)
    // @ts-expect-error
    expect(() => agentTools([webSearchTool()])).toThrow(/web_search/)
    // @ts-expect-error
    expect(() => agentTools({})).toThrow(/use an array/)
  })
})
