import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import {
  type AssistantContent,
  generateText,
  isStepCount,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  streamText,
  tool,
} from 'ai'
import {
  anthropicMessages,
  type CheckingServer,
  chatCompletions,
  gemini,
  inProcessServer,
  openaiResponses,
  type Reply,
  type Service,
} from 'toolsearch-checking-server'
import { afterEach, describe, expect, it } from 'vitest'
import { isDeep } from '../../../../../testing/deep.ts'
import { acceptedName } from '../../catalogue/safe-name.ts'
import { createToolSearch, type Session } from '../../index.ts'
import { type SomeTools, someTools } from './ai-sdk.fixtures.ts'
import { type AiSdkMode, type AiSdkOptions, aiSdk } from './index.ts'

const apiKey = 'any'
const anthropic = (url: string) =>
  createAnthropic({ baseURL: `${url}/v1`, apiKey })('claude-opus-5')
const responses = (url: string) => createOpenAI({ baseURL: `${url}/v1`, apiKey })('gpt-5.4')
const chat = (url: string) => createOpenAI({ baseURL: `${url}/v1`, apiKey }).chat('gpt-5.4')
const compatible = (url: string) =>
  createOpenAICompatible({ name: 'mini', baseURL: `${url}/v1`, apiKey })('mini-m3')
const google = (url: string) => createGoogle({ baseURL: `${url}/v1beta`, apiKey })('gemini-2.5-pro')

interface Provider {
  name: string
  mode: AiSdkMode
  service: () => Service
  model: (url: string) => LanguageModel
}

const providers: Provider[] = [
  { name: 'Anthropic', mode: 'bridge', service: anthropicMessages, model: anthropic },
  { name: 'Google', mode: 'bridge', service: gemini, model: google },
  { name: 'Anthropic', mode: 'append', service: anthropicMessages, model: anthropic },
  { name: 'OpenAI', mode: 'append', service: openaiResponses, model: responses },
  { name: 'OpenAI chat', mode: 'append', service: chatCompletions, model: chat },
  { name: 'OpenAI-compatible', mode: 'append', service: chatCompletions, model: compatible },
  { name: 'Google', mode: 'append', service: gemini, model: google },
  { name: 'Anthropic', mode: 'reference', service: anthropicMessages, model: anthropic },
  { name: 'OpenAI', mode: 'client', service: openaiResponses, model: responses },
]
const native = providers.filter(({ mode }) => mode === 'reference' || mode === 'client')

/** In npm test, each provider streams in one of two tests. */
const streaming = (provider: Provider, test: number): readonly boolean[] =>
  isDeep ? [false, true] : [(providers.indexOf(provider) + test) % 2 === 1]

const servers: CheckingServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const HIDDEN = 'weird.name/with spaces-é'
const EAGER = '1.eager/name'
const EAGER_NAMES = ['shell', 'ask', 'eager_record', acceptedName(EAGER)]

const newSession = (id = 'a') => createToolSearch({ activation: 'always' }).session(id)
const call = (name: string, input: unknown) => ({ name, arguments: input })
const search =
  (query: string) =>
  ({ mode }: Provider): Reply =>
    mode === 'client'
      ? { clientSearch: { arguments: { query } } }
      : { calls: [call('tool_search', { query })] }
/** Calls to hidden tools go through `call_tool` in mode bridge. */
const calls =
  (...calls: { name: string; arguments: unknown }[]) =>
  ({ mode }: Provider): Reply => ({
    calls: calls.map((one) =>
      mode === 'bridge' && !EAGER_NAMES.includes(one.name) ? call('call_tool', one) : one,
    ),
  })
const unconstrained = (reply: (provider: Provider) => Reply) => (provider: Provider) => ({
  ...reply(provider),
  unconstrained: true,
})

type ProviderOptions = NonNullable<Parameters<typeof generateText>[0]['providerOptions']>
const OPENAI = { store: false }
const THINKING = { type: 'enabled', budgetTokens: 1024 }

interface SendOptions {
  inStream?: boolean
  steps?: number
  store?: boolean
  providerOptions?: ProviderOptions
}

/** One conversation over HTTP, with functions to continue it. */
async function converse(provider: Provider, script: readonly ((provider: Provider) => Reply)[]) {
  const service = provider.service()
  const replies = script.map((reply) => reply(provider))
  const server = inProcessServer({ service, replies })
  servers.push(server)
  const messages: ModelMessage[] = []
  return {
    messages,
    requests: server.requests,
    prompts: () => server.requests.map(({ body }) => service.promptOf(body)),
    async send(
      text: string,
      session: Session,
      options: AiSdkOptions<SomeTools>,
      { inStream = false, steps = 20, store = false, providerOptions }: SendOptions = {},
    ) {
      messages.push({ role: 'user', content: text })
      const settings = {
        model: provider.model(server.url),
        instructions: 'Be kind.',
        messages,
        ...aiSdk(session, { mode: provider.mode, ...options }),
        stopWhen: isStepCount(steps),
        // Items that the service stores are not sent again, so they cannot be compared.
        providerOptions: providerOptions ?? { openai: { store } },
        maxRetries: 0,
      }
      const result = inStream ? streamText(settings) : await generateText(settings)
      messages.push(...(await result.responseMessages))
      expect(server.requests.flatMap(({ problem }) => problem ?? [])).toEqual([])
      return result
    },
  }
}

const toolNames = (body: Record<string, unknown>): unknown[] => {
  const tools = (body.tools ?? []) as Record<string, unknown>[]
  return tools.flatMap((tool) => {
    const { functionDeclarations } = tool as { functionDeclarations?: { name: string }[] }
    if (functionDeclarations) return functionDeclarations.map(({ name }) => name)
    const { function: named = tool } = tool as { function?: Record<string, unknown> }
    return [named.name ?? tool.type]
  })
}

describe.each(providers)('aiSdk over HTTP: $name, mode $mode', (provider) => {
  it.each(streaming(provider, 0))(
    'finds, loads and calls tools over two turns (stream: %s)',
    async (inStream) => {
      const ran: unknown[] = []
      const tools = someTools(ran)
      const session = await newSession()
      const { send, prompts, requests } = await converse(provider, [
        search('letter'),
        calls(call('mail', { to: 'Ann' })),
        () => ({ text: 'Sent.' }),
        search('zebra'),
        calls(call('zebra', { width: 4 }), call('mail', { to: 'Bob' })),
      ])
      await send('Write to Ann', session, { tools }, { inStream })
      await send('Draw a zebra', session, { tools }, { inStream })
      expect(ran).toEqual([
        ['mail', { to: 'Ann' }],
        ['zebra', { width: 4 }],
        ['mail', { to: 'Bob' }],
      ])
      expect(requests).toHaveLength(6)
      if (provider.mode === 'append') {
        const lists = requests.map(({ body }) => toolNames(body))
        expect(lists).toEqual([
          ['tool_search', 'shell', 'ask'],
          ...Array.from({ length: 3 }, () => ['tool_search', 'shell', 'ask', 'mail']),
          ...Array.from({ length: 2 }, () => ['tool_search', 'shell', 'ask', 'mail', 'zebra']),
        ])
      } else {
        // The prompt only grows.
        for (const [index, prompt] of prompts().slice(1).entries()) {
          const before = prompts()[index]!
          expect(prompt.slice(0, before.length)).toEqual(before)
        }
        expect(JSON.stringify(requests[5]!.body.tools)).toBe(
          JSON.stringify(requests[0]!.body.tools),
        )
      }
    },
  )

  it('continues in another process with the same bytes, from a snapshot or from the messages', async () => {
    const tools = someTools()
    const session = await newSession()
    const { send, requests } = await converse(provider, [search('letter'), search('zebra')])
    await send('Look for something', session, { tools })
    const restored = await createToolSearch({ activation: 'always' }).restore(
      await session.snapshot(),
    )
    await send('And now?', restored, { tools })
    await send('And now?', await newSession('b'), { tools })
    const [, , third, fourth, fifth] = requests.map(({ body }) => body)
    for (const key of ['tools', 'system', 'instructions', 'systemInstruction']) {
      expect(JSON.stringify(fourth![key])).toBe(JSON.stringify(third![key]))
      expect(JSON.stringify(fifth![key])).toBe(JSON.stringify(third![key]))
    }
  })

  it('does not run a call that the model made without the schema', async () => {
    const ran: unknown[] = []
    const weather = call('weather', { city: 'Ulm' })
    const { send, requests } = await converse(provider, [
      (one) => {
        const { calls = [], ...reply } = search('weather')(one)
        return { ...reply, calls: [...calls, weather], unconstrained: true }
      },
      calls(weather),
    ])
    await send('How is the weather?', await newSession(), { tools: someTools(ran) })
    expect(ran).toEqual([['weather', { city: 'Ulm' }]])
    expect(requests).toHaveLength(3)
    expect(requests[1]!.text).toContain('before')
  })

  it('lets the model pass any property that a schema allows', async () => {
    const ran: unknown[] = []
    const record = (deferLoading: boolean) =>
      tool({
        description: 'Archives values',
        deferLoading,
        inputSchema: jsonSchema<{ values: object }>({
          type: 'object',
          properties: { values: { type: 'object', additionalProperties: true } },
          required: ['values'],
          additionalProperties: false,
        }),
        execute: ({ values }) => void ran.push(values),
      })
    const tools = { ...someTools(), record: record(true), eager_record: record(false) }
    const { send } = await converse(provider, [
      search('select:record'),
      calls(call('record', { values: { a: 1 } }), call('eager_record', { values: { b: [2] } })),
    ])
    await send('Archive', await newSession(), { tools })
    expect(ran).toEqual([{ a: 1 }, { b: [2] }])
  })

  it('loads a forced tool, with or without a search before', async () => {
    const ran: unknown[] = []
    const tools = someTools(ran)
    const session = await newSession()
    const { send } = await converse(provider, [
      search('letter'),
      () => ({ text: 'Found.' }),
      () => ({ calls: [call('mail', { to: 'Ann' })] }),
      () => ({ calls: [call('weather', { city: 'Ulm' })] }),
    ])
    await send('Look', session, { tools })
    const made = (toolName: 'mail' | 'weather') => ({ type: 'tool' as const, toolName })
    await send('Write', session, { tools, toolChoice: made('mail') }, { steps: 1 })
    await send('Tell', session, { tools, toolChoice: made('weather') }, { steps: 1 })
    expect(ran).toEqual([
      ['mail', { to: 'Ann' }],
      ['weather', { city: 'Ulm' }],
    ])
    await send('And now?', session, { tools })
  })

  it('continues after a loaded tool is removed', async () => {
    const { send, requests } = await converse(provider, [search('select:mail'), search('zebra')])
    const session = await newSession()
    const { mail: _, ...rest } = someTools()
    await send('Look', session, { tools: someTools() })
    await send('Look again', session, { tools: rest as SomeTools })
    await send('And again', session, { tools: rest as SomeTools })
    expect(requests.at(-1)!.problem).toBeUndefined()
    // a reference to a tool must name one that is declared
    const isDeclared = provider.mode === 'reference'
    expect(toolNames(requests.at(-1)!.body).includes('mail')).toBe(isDeclared)
  })
})

/** The name by which the model knows the hidden tool: search results contain the name itself. */
const hiddenName = ({ mode }: Provider) => (mode === 'bridge' ? HIDDEN : acceptedName(HIDDEN))

/** Tools with names that services reject, as users may have them. */
function oddTools(ran: unknown[]): SomeTools {
  const { mail, shell } = someTools(ran)
  return { [HIDDEN]: mail, [EAGER]: shell } as never
}

describe.each(providers)('aiSdk with names that services reject: $name, mode $mode', (provider) => {
  it.each(streaming(provider, 1))(
    'finds, calls, forces and removes (stream: %s)',
    async (inStream) => {
      const ran: unknown[] = []
      const tools = oddTools(ran)
      const hidden = (to: unknown) => call(hiddenName(provider), { to })
      const eager = call(acceptedName(EAGER), { command: 'ls' })
      const { send, requests, messages, prompts } = await converse(provider, [
        search('letter'),
        calls(hidden('Ann'), eager),
        unconstrained(calls(hidden(7))),
        () => ({ text: 'Sent.' }),
        calls(eager),
        search(`select:${acceptedName(HIDDEN)}`),
        () => ({ text: 'Known.' }),
      ])
      const session = await newSession()
      await send('Write', session, { tools }, { inStream })
      expect(ran).toEqual([
        ['mail', { to: 'Ann' }],
        ['shell', { command: 'ls' }],
      ])
      // your messages have the names of your tools
      expect(JSON.stringify(messages)).toContain(`"toolName":"${HIDDEN}"`)
      const toolChoice = { type: 'tool', toolName: EAGER } as never
      await send('Run', session, { tools, toolChoice }, { inStream, steps: 1 })
      expect(ran).toHaveLength(3)
      await send('Look again', session, { tools }, { inStream })
      expect(requests.at(-1)!.text).not.toContain('not found')
      const before = prompts().at(-1)!
      const { [HIDDEN as never]: _, ...rest } = tools
      const restored = JSON.parse(JSON.stringify(messages.splice(0)))
      messages.push(...restored)
      await send('Thanks', session, { tools: rest as never }, { inStream })
      // the list changes in mode append only
      if (provider.mode !== 'append')
        expect(prompts().at(-1)!.slice(0, before.length)).toEqual(before)
    },
  )

  it('answers a call that the model made without the schema', async () => {
    const ran: unknown[] = []
    const mail = call(hiddenName(provider), { to: 'Ann' })
    const { send, requests } = await converse(provider, [unconstrained(calls(mail)), calls(mail)])
    await send('Write', await newSession(), { tools: oddTools(ran) })
    expect(ran).toEqual([['mail', { to: 'Ann' }]])
    expect(requests).toHaveLength(3)
  })

  it('lists them while there are few', async () => {
    const ran: unknown[] = []
    const { send } = await converse(provider, [
      () => ({ calls: [call(acceptedName(HIDDEN), { to: 'Ann' })] }),
    ])
    await send('Write', await createToolSearch().session('a'), { tools: oddTools(ran) })
    expect(ran).toHaveLength(1)
  })
})

it.each(providers.filter(({ name }) => name === 'OpenAI'))(
  'aiSdk over HTTP: $name, mode $mode, works if the service stores the conversation',
  async (provider) => {
    const ran: unknown[] = []
    const tools = someTools(ran)
    const session = await newSession()
    const { send } = await converse(provider, [
      search('letter'),
      calls(call('mail', { to: 'Ann' })),
      () => ({ text: 'Sent.' }),
      calls(call('mail', { to: 'Bob' })),
    ])
    await send('Write to Ann', session, { tools }, { store: true })
    await send('And to Bob', session, { tools }, { store: true })
    expect(ran).toHaveLength(2)
  },
)

describe.each(native)('aiSdk over HTTP: $name, mode $mode', (provider) => {
  it('lists a loaded tool if the messages that revealed it are gone', async () => {
    const { send, messages, requests } = await converse(provider, [search('letter')])
    const session = await newSession()
    const tools = someTools()
    await send('Look', session, { tools })
    messages.splice(0)
    await send('Here is a summary. Go on.', session, { tools })
    const list = requests.at(-1)!.body.tools as { name?: string; defer_loading?: boolean }[]
    expect(list.find(({ name }) => name === 'mail')).toBeDefined()
    expect(list.find(({ name }) => name === 'mail')!.defer_loading).toBeUndefined()
  })

  it('reveals a tool that the model called unseen in the answer, and keeps the tools', async () => {
    const ran: unknown[] = []
    const weather = call('weather', { city: 'Ulm' })
    const { send, requests, prompts } = await converse(provider, [
      unconstrained(calls(weather, call('mail', { to: 'Ann' }))),
      calls(weather),
      search('weather'),
      calls(weather),
    ])
    await send('How is the weather?', await newSession(), { tools: someTools(ran) })
    expect(ran).toHaveLength(2)
    for (const [index, { body }] of requests.entries()) {
      expect(JSON.stringify(body.tools)).toBe(JSON.stringify(requests[0]!.body.tools))
      const before = prompts()[index - 1] ?? []
      expect(prompts()[index]!.slice(0, before.length)).toEqual(before)
    }
    expect(requests[1]!.text).toMatch(
      provider.mode === 'client' ? /"additional_tools"/ : /"tool_reference"/,
    )
  })

  it('declares a removed tool after a restart, as the messages describe it', async () => {
    const { send, requests, prompts, messages } = await converse(provider, [
      search('select:mail'),
      calls(call('mail', { to: 'Ann' })),
    ])
    const { mail: _, ...rest } = someTools()
    await send('Look', await newSession(), { tools: someTools() })
    messages.push(...JSON.parse(JSON.stringify(messages.splice(0))))
    await send('Look again', await newSession('b'), { tools: rest as SomeTools })
    const [first, last] = [requests[2]!, requests.at(-1)!]
    const definition = (body: typeof first.body) =>
      (body.tools as { name?: string }[]).find(({ name }) => name === 'mail')
    expect(definition(last.body)).toEqual(definition(first.body))
    const shown = prompts().map((prompt) => prompt.filter((part) => part.includes('letter to')))
    expect(shown.at(-1)).toEqual(shown[2])
  })

  it.each(['a search', 'an unseen call'])(
    'a tool that a thinking model knows from %s keeps its definition when it is removed',
    async (origin) => {
      const weather: Reply = { calls: [call('weather', { city: 'Ulm' })] }
      const thoughts = ['find', 'call', 'answer', 'again', 'the end']
      const steps = [
        origin === 'a search' ? search('weather')(provider) : { ...weather, unconstrained: true },
        weather,
        { text: 'Sunny.' },
        { text: 'Bye.' },
        { text: 'Bye.' },
      ]
      const { send, requests, prompts } = await converse(
        provider,
        steps.map((step, index) => () => ({ thinking: thoughts[index]!, ...step })),
      )
      const { weather: zodTool, ...rest } = someTools()
      const providerOptions = { anthropic: { allowedCallers: ['direct'] } }
      const tools = { ...rest, weather: { ...zodTool, providerOptions } }
      const session = await newSession()
      const more = { providerOptions: { anthropic: { thinking: THINKING }, openai: OPENAI } }
      await send('How is the weather?', session, { tools }, more)
      await send('Thanks', session, { tools: rest as SomeTools }, more)
      await send('Bye', session, { tools }, more)
      expect(requests).toHaveLength(5)
      for (const [index, prompt] of prompts().slice(1).entries()) {
        const before = prompts()[index]!
        expect(prompt.slice(0, before.length)).toEqual(before)
      }
    },
  )

  it('lists loaded tools in full and repeats news after the service has compacted the conversation', async () => {
    const ran: unknown[] = []
    const { send, messages, requests } = await converse(provider, [
      search('letter'),
      () => ({ text: 'Found.' }),
      () => ({ text: 'Understood.' }),
      calls(call('mail', { to: 'Ann' })),
      search('zebra'),
    ])
    const session = await newSession()
    const { weather: _, ...others } = someTools(ran)
    await send('Look', session, { tools: others as SomeTools })
    await send('There is something new', session, { tools: someTools(ran) })
    const summary: AssistantContent =
      provider.mode === 'reference'
        ? [
            {
              type: 'text',
              text: 'A summary.',
              providerOptions: { anthropic: { type: 'compaction' } },
            },
          ]
        : [
            {
              type: 'custom',
              kind: 'openai.compaction',
              providerOptions: { openai: { itemId: 'cmp_1', encryptedContent: 'x' } },
            },
          ]
    messages.push({ role: 'assistant', content: summary })
    await send('Write to Ann', session, { tools: someTools(ran) })
    expect(ran).toEqual([['mail', { to: 'Ann' }]])
    const { body } = requests.at(-1)!
    const list = body.tools as { name?: string; defer_loading?: boolean }[]
    const mail = list.find(({ name }) => name === 'mail')
    expect(mail).toBeDefined()
    expect(mail).not.toHaveProperty('defer_loading')
    const [, after] = JSON.stringify(body.messages ?? body.input).split('"compaction"')
    expect(after).toContain('New tools available through search')
  })

  it('does not reveal a tool that is already listed', async () => {
    const { send, requests } = await converse(provider, [
      search('select:shell,mail'),
      search('shell'),
    ])
    await send('Look', await newSession(), { tools: someTools() })
    const results = requests.map(({ body }) =>
      JSON.stringify(body.messages ?? body.input).replaceAll('select:shell,mail', ''),
    )
    expect(results[1]).toMatch(/"(tool_)?name":"mail"/)
    expect(results[2]).not.toMatch(/"(tool_)?name":"shell"/)
    expect(results[2]).not.toContain('no longer available')
  })

  it('accepts tools with cache control', async () => {
    const cacheControl = { type: 'ephemeral' }
    const { mail, ...others } = someTools()
    const tools = { ...others, mail: { ...mail, providerOptions: { anthropic: { cacheControl } } } }
    const { send, requests } = await converse(provider, [search('letter')])
    await send('Look', await newSession(), { tools })
    expect(requests[1]!.text).not.toContain('cache_control')
  })

  // OpenAI's search output has only definitions
  it.runIf(provider.mode === 'reference')('says which names a search did not find', async () => {
    const { send, requests } = await converse(provider, [search('select:mail,mailbox_of_ann')])
    await send('Look', await newSession(), { tools: someTools() })
    expect(requests[1]!.text).toContain('"tool_name":"mail"')
    expect(requests[1]!.text).toContain('1 name not found.')
  })

  it('tells the model if a search finds nothing', async () => {
    const { send, requests } = await converse(provider, [search('qwertzuiop')])
    await send('Look', await newSession(), { tools: someTools() })
    expect(requests).toHaveLength(2)
  })

  it('lists all tools while there are few', async () => {
    const { send, requests } = await converse(provider, [])
    const session = await createToolSearch().session('a')
    await send('Look', session, { tools: someTools() })
    expect(toolNames(requests[0]!.body)).toEqual(['zebra', 'shell', 'weather', 'mail', 'ask'])
    expect(requests[0]!.text).not.toContain('defer')
  })
})
