import { describe, expect, it } from 'vitest'
import { createToolSearch } from '../toolsearch.ts'
import { providers } from './all-providers.fixtures.ts'
import { anthropic } from './anthropic/anthropic.ts'
import { startConversation } from './converse.fixtures.ts'
import { gemini } from './gemini/gemini.ts'
import { openai } from './openai/openai.ts'
import { openaiCompatible } from './openai-compatible/openai-compatible.ts'
import { type ProviderCase, sampleTools } from './provider.fixtures.ts'
import { expectStableBytes } from './recorded-requests.fixtures.ts'

const parameters = { type: 'object', properties: { room: { type: 'string' } } }

/** Functions of the caller in the shapes of the providers, besides one of their own tools. */
const extraTools: Readonly<Record<string, readonly object[]>> = {
  Anthropic: [
    { type: 'bash_20250124', name: 'bash' },
    { name: 'ring_bell', input_schema: parameters },
  ],
  'Chat Completions': [{ type: 'function', function: { name: 'ring_bell', parameters } }],
  Gemini: [
    { googleSearch: {} },
    { functionDeclarations: [{ name: 'ring_bell', parametersJsonSchema: parameters }] },
  ],
  'OpenAI Responses': [
    { type: 'web_search' },
    { type: 'function', name: 'ring_bell', parameters, strict: false },
  ],
}

const cases = providers.flatMap((provider) => provider.modes.map((mode) => ({ provider, mode })))

describe.each(cases)(
  'functions of the caller: $provider.name, mode $mode',
  ({ provider, mode }) => {
    it('hands calls to a function of the caller over and continues with its output', async () => {
      const chat = await start(provider, mode)
      try {
        const found = await chat.turn(provider.search(mode, 'invoice approve', ['invoice_approve']))
        expect(found.calls).toEqual([])
        const wrapped = { name: 'ring_bell', arguments: { room: 'hall' } }
        const viaBridge = { name: 'call_tool', arguments: wrapped }
        const known = { name: 'invoice_approve', arguments: { subject: 'x' } }
        const own = mode === 'bridge' ? { name: 'call_tool', arguments: known } : known
        const step = await chat.turn({
          calls: [wrapped, own, ...(mode === 'bridge' ? [viaBridge] : [])],
        })
        expect(step.calls.map(({ name, isForeign = false }) => [name, isForeign])).toEqual([
          ['ring_bell', true],
          ['invoice_approve', false],
          ...(mode === 'bridge' ? [['ring_bell', true]] : []),
        ])
        expect(step.calls[0]).toMatchObject({ arguments: { room: 'hall' }, native: {} })
        expect(step.shouldContinue).toBe(true)
        await chat.turn({ text: 'Done.' })
        expect(JSON.stringify(chat.accepted().at(-1)!.body)).toContain('ring_bell is done.')
        expect(chat.accepted()).toHaveLength(3)
        if (provider.stableModes.includes(mode)) expectStableBytes(chat)
      } finally {
        await chat.close()
      }
    })

    it('lists the tools of the caller first, and can force them', async () => {
      const chat = await start(provider, mode)
      try {
        await chat.turn({ text: 'Hello.' })
        await chat.turn(
          { calls: [{ name: 'ring_bell', arguments: {} }] },
          { toolChoice: 'ring_bell' },
        )
        const [first] = chat.accepted()
        const list = first!.body.tools as object[]
        expect(list.slice(0, extraTools[provider.name]!.length)).toEqual(extraTools[provider.name])
        expect(JSON.stringify(chat.accepted()[1]!.body)).toContain('ring_bell')
        expect(chat.accepted()).toHaveLength(2)
      } finally {
        await chat.close()
      }
    })

    it('renames a tool of the catalogue that has the name of one of them', async () => {
      const tool = { ...sampleTools[0]!, name: 'ring_bell', loading: 'eager' as const }
      const chat = await start(provider, mode, [tool, ...sampleTools])
      try {
        const name = chat.adapter.nameOf('ring_bell')
        expect(name).not.toBe('ring_bell')
        const step = await chat.turn({ calls: [{ name, arguments: { subject: 'x' } }] })
        expect(step.calls).toMatchObject([{ name: 'ring_bell' }])
        expect(step.calls[0]!.isForeign).toBeUndefined()
        expect(chat.accepted()).toHaveLength(1)
      } finally {
        await chat.close()
      }
    })
  },
)

function start(provider: ProviderCase, mode: string, tools = sampleTools) {
  return startConversation(provider, { mode, tools, extraTools: extraTools[provider.name]! })
}

async function openSession(execute?: () => unknown) {
  const tools = [{ name: 'add', ...(execute && { execute }) }]
  return createToolSearch({ tools, activation: 'never' }).session('a')
}

describe('step.run() with foreign calls', () => {
  const bash = { type: 'bash_20250124', name: 'bash' }
  const use = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input })

  it('passes them to the option execute, and everything else to the tools', async () => {
    const session = await openSession(() => 'added')
    const adapter = anthropic(session, { extraTools: [bash] })
    const content = [use('1', 'bash', { command: 'ls' }), use('2', 'add', {})]
    const step = await adapter.handle({ content })
    const [, results] = await step.run({
      execute: (call) => `${call.name} ${call.arguments.command}`,
    })
    expect(results!.content).toMatchObject([
      { tool_use_id: '1', content: [{ text: 'bash ls' }] },
      { tool_use_id: '2', content: [{ text: 'added' }] },
    ])
  })

  it('passes calls to tools without execute to it, too', async () => {
    const adapter = openaiCompatible(await openSession())
    const call = { id: '1', type: 'function', function: { name: 'add', arguments: '{}' } }
    const step = await adapter.handle({ choices: [{ message: { tool_calls: [call] } }] })
    const [, result] = await step.run({
      execute() {
        throw new Error('no numbers')
      },
    })
    expect(result).toMatchObject({ tool_call_id: '1', content: 'Error: no numbers' })
  })

  it('fails without a function for them, before anything runs', async () => {
    let runs = 0
    const adapter = anthropic(await openSession(() => ++runs), { extraTools: [bash] })
    const content = [use('1', 'add', {}), use('2', 'bash', {})]
    const step = await adapter.handle({ content })
    await expect(step.run()).rejects.toMatchObject({
      code: 'missing_execute',
      message: expect.stringContaining('pass step.run({ execute })'),
    })
    expect(runs).toBe(0)
    await expect(step.run({ execute: 1 as never })).rejects.toThrow('execute is 1; use a function')
  })

  it('stops waiting for them when the signal is aborted', async () => {
    const adapter = anthropic(await openSession(), { extraTools: [bash] })
    const step = await adapter.handle({ content: [use('1', 'bash', {})] })
    const controller = new AbortController()
    const running = step.run({ signal: controller.signal, execute: () => new Promise(() => {}) })
    controller.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
  })
})

describe('the output of a foreign call', () => {
  it.each([
    [
      'Anthropic',
      { type: 'tool_result', tool_use_id: '1', content: [{ type: 'text', text: 'x' }] },
    ],
    ['Chat Completions', { role: 'tool', tool_call_id: '1', content: 'x' }],
    ['Gemini', { functionResponse: { name: 'bell', response: { output: 'x' } } }],
    [
      'OpenAI Responses',
      { type: 'function_call_output', call_id: '1', output: 'x', status: 'completed' },
    ],
  ])('is sent unchanged if it is a result of %s', async (name, result) => {
    const session = await openSession()
    const declared = { name: 'bell', parameters: {} }
    const [adapter, reply] = (
      {
        Anthropic: [
          anthropic(session, { extraTools: [{ name: 'bell' }] }),
          { content: [{ type: 'tool_use', id: '1', name: 'bell', input: {} }] },
        ],
        'Chat Completions': [
          openaiCompatible(session, { extraTools: [{ type: 'function', function: declared }] }),
          {
            choices: [
              {
                message: { tool_calls: [{ id: '1', function: { name: 'bell', arguments: '{}' } }] },
              },
            ],
          },
        ],
        Gemini: [
          gemini(session, { extraTools: [{ functionDeclarations: [declared] }] }),
          {
            candidates: [
              { content: { role: 'model', parts: [{ functionCall: { name: 'bell' } }] } },
            ],
          },
        ],
        'OpenAI Responses': [
          openai(session, { extraTools: [{ type: 'function', ...declared }] }),
          { output: [{ type: 'function_call', call_id: '1', name: 'bell', arguments: '{}' }] },
        ],
      } as unknown as Record<string, [ReturnType<typeof openai>, never]>
    )[name]!
    const step = await adapter.handle(reply)
    const sent = step.messages([result]).at(-1) as { content?: unknown; parts?: unknown }
    expect(
      Array.isArray(sent.content) || sent.parts ? (sent.parts ?? sent.content) : [sent],
    ).toEqual([result])
  })
})

describe('extraTools', () => {
  it('must not have the name of a tool of toolsearch', async () => {
    const session = await openSession()
    const extraTools = [{ name: 'tool_search', input_schema: parameters }]
    expect(() => anthropic(session, { extraTools })).toThrow(
      'extraTools is "tool_search"; use another name: toolsearch lists a tool of this name',
    )
    expect(() => gemini(session, { extraTools: ['bash'] as never })).toThrow('extraTools is')
  })

  it('are unknown tools if the caller does not name them', async () => {
    const adapter = anthropic(await openSession())
    const content = [{ type: 'tool_use', id: '1', name: 'bash', input: {} }]
    const step = await adapter.handle({ content })
    expect(step.calls).toEqual([])
    expect(JSON.stringify(step.messages())).toContain('There is no tool named')
  })

  it('need no declaration if the reply shows that they belong to the provider', async () => {
    const adapter = anthropic(await openSession())
    const call = { type: 'tool_use', id: '1', name: 'click', input: {}, toolset_name: 'computer' }
    const step = await adapter.handle({ content: [call] })
    expect(step.calls).toMatchObject([{ name: 'click', isForeign: true, native: call }])
  })

  it('that run at the provider are not work for the caller', async () => {
    const session = await openSession()
    const search = { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'x' } }
    const claude = await anthropic(session).handle({ content: [search] })
    const parts = [{ executableCode: { code: '1' } }, { codeExecutionResult: { output: '1' } }]
    const google = await gemini(session).handle({
      candidates: [{ content: { role: 'model', parts } }],
    })
    const output = [
      { type: 'web_search_call', id: 'w', status: 'completed' },
      { type: 'code_interpreter_call', id: 'c', status: 'completed' },
      { type: 'mcp_call', id: 'm', name: 'x', arguments: '{}' },
    ]
    const gpt = await openai(session).handle({ output })
    for (const step of [claude, google, gpt]) {
      expect(step.calls).toEqual([])
      expect(step.shouldContinue).toBe(false)
      expect(step.messages()).not.toEqual([])
    }
  })
})
