import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, isStepCount, type LanguageModel, type ModelMessage, streamText } from 'ai'
import {
  anthropicMessages,
  type CheckingServer,
  chatCompletions,
  gemini,
  openaiResponses,
  type Reply,
  type Service,
  startCheckingServer,
} from 'toolsearch-checking-server'
import { afterEach, describe, expect, it } from 'vitest'
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
  { name: 'Anthropic', mode: 'append', service: anthropicMessages, model: anthropic },
  { name: 'OpenAI', mode: 'append', service: openaiResponses, model: responses },
  { name: 'OpenAI chat', mode: 'append', service: chatCompletions, model: chat },
  { name: 'a compatible', mode: 'append', service: chatCompletions, model: compatible },
  { name: 'Google', mode: 'append', service: gemini, model: google },
  { name: 'Anthropic', mode: 'reference', service: anthropicMessages, model: anthropic },
  { name: 'OpenAI', mode: 'client', service: openaiResponses, model: responses },
]
const native = providers.filter(({ mode }) => mode !== 'append')

const servers: CheckingServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const newSession = (id = 'a') => createToolSearch({ activation: 'always' }).session(id)
const call = (name: string, input: unknown) => ({ name, arguments: input })
const search =
  (query: string) =>
  ({ mode }: Provider): Reply =>
    mode === 'client'
      ? { clientSearch: { arguments: { query } } }
      : { calls: [call('tool_search', { query })] }
const says =
  (...calls: { name: string; arguments: unknown }[]) =>
  (): Reply => ({ calls })

interface SayOptions {
  inStream?: boolean
  steps?: number
  store?: boolean
}

/** One conversation over HTTP, and how to go on with it. */
async function talk(provider: Provider, script: readonly ((provider: Provider) => Reply)[]) {
  const service = provider.service()
  const replies = script.map((reply) => reply(provider))
  const server = await startCheckingServer({ service, replies })
  servers.push(server)
  const messages: ModelMessage[] = []
  return {
    messages,
    requests: server.requests,
    prompts: () => server.requests.map(({ body }) => service.promptOf(body)),
    async say(
      text: string,
      session: Session,
      options: AiSdkOptions<SomeTools>,
      { inStream = false, steps = 20, store = false }: SayOptions = {},
    ) {
      messages.push({ role: 'user', content: text })
      const settings = {
        model: provider.model(server.url),
        instructions: 'Be kind.',
        messages,
        ...aiSdk(session, { mode: provider.mode, ...options }),
        stopWhen: isStepCount(steps),
        // what the service keeps is not sent again, and cannot be compared
        providerOptions: { openai: { store } },
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
  it.each([false, true])('finds, loads and calls, over two turns; stream: %s', async (inStream) => {
    const ran: unknown[] = []
    const tools = someTools(ran)
    const session = await newSession()
    const { say, prompts, requests } = await talk(provider, [
      search('letter'),
      says(call('mail', { to: 'Ann' })),
      () => ({ text: 'Sent.' }),
      search('zebra'),
      says(call('zebra', { width: 4 }), call('mail', { to: 'Bob' })),
    ])
    await say('Write to Ann', session, { tools }, { inStream })
    await say('Draw a zebra', session, { tools }, { inStream })
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
      // nothing the model has read changes
      for (const [index, prompt] of prompts().slice(1).entries()) {
        const before = prompts()[index]!
        expect(prompt.slice(0, before.length)).toEqual(before)
      }
      expect(JSON.stringify(requests[5]!.body.tools)).toBe(JSON.stringify(requests[0]!.body.tools))
    }
  })

  it('goes on in another process with the same bytes, by a snapshot or by the messages', async () => {
    const tools = someTools()
    const session = await newSession()
    const { say, requests } = await talk(provider, [search('letter'), search('zebra')])
    await say('Look for something', session, { tools })
    const restored = await createToolSearch({ activation: 'always' }).restore(session.snapshot())
    await say('And now?', restored, { tools })
    await say('And now?', await newSession('b'), { tools })
    const [, , third, fourth, fifth] = requests.map(({ body }) => body)
    for (const key of ['tools', 'system', 'instructions', 'systemInstruction']) {
      expect(JSON.stringify(fourth![key])).toBe(JSON.stringify(third![key]))
      expect(JSON.stringify(fifth![key])).toBe(JSON.stringify(third![key]))
    }
  })

  it('does not run a call that was made without the schema', async () => {
    const ran: unknown[] = []
    const weather = call('weather', { city: 'Ulm' })
    const { say, requests } = await talk(provider, [
      (one) => {
        const { calls = [], ...reply } = search('weather')(one)
        return { ...reply, calls: [...calls, weather] }
      },
      says(weather),
    ])
    await say('How is the weather?', await newSession(), { tools: someTools(ran) })
    expect(ran).toEqual([['weather', { city: 'Ulm' }]])
    expect(requests).toHaveLength(3)
    expect(requests[1]!.text).toContain('before')
  })

  it('has a tool loaded that the model is made to call, known from a search or not', async () => {
    const ran: unknown[] = []
    const tools = someTools(ran)
    const session = await newSession()
    const { say } = await talk(provider, [
      search('letter'),
      () => ({ text: 'Found.' }),
      says(call('mail', { to: 'Ann' })),
      says(call('weather', { city: 'Ulm' })),
    ])
    await say('Look', session, { tools })
    const made = (toolName: 'mail' | 'weather') => ({ type: 'tool' as const, toolName })
    await say('Write', session, { tools, toolChoice: made('mail') }, { steps: 1 })
    await say('Tell', session, { tools, toolChoice: made('weather') }, { steps: 1 })
    expect(ran).toEqual([
      ['mail', { to: 'Ann' }],
      ['weather', { city: 'Ulm' }],
    ])
    await say('And now?', session, { tools })
  })

  it('goes on when a tool is gone that was loaded', async () => {
    const { say, requests } = await talk(provider, [search('select:mail'), search('zebra')])
    const session = await newSession()
    const { mail: _, ...rest } = someTools()
    await say('Look', session, { tools: someTools() })
    await say('Look again', session, { tools: rest as SomeTools })
    await say('And again', session, { tools: rest as SomeTools })
    expect(requests.at(-1)!.problem).toBeUndefined()
    expect(toolNames(requests.at(-1)!.body)).not.toContain('mail')
  })
})

it.each(providers.filter(({ name }) => name === 'OpenAI'))(
  'aiSdk over HTTP: $name, mode $mode, when the service keeps what was said',
  async (provider) => {
    const ran: unknown[] = []
    const tools = someTools(ran)
    const session = await newSession()
    const { say } = await talk(provider, [
      search('letter'),
      says(call('mail', { to: 'Ann' })),
      () => ({ text: 'Sent.' }),
      says(call('mail', { to: 'Bob' })),
    ])
    await say('Write to Ann', session, { tools }, { store: true })
    await say('And to Bob', session, { tools }, { store: true })
    expect(ran).toHaveLength(2)
  },
)

describe.each(native)('aiSdk over HTTP: $name, mode $mode', (provider) => {
  it('sends a loaded tool in the list when the messages that carried it are gone', async () => {
    const { say, messages, requests } = await talk(provider, [search('letter')])
    const session = await newSession()
    const tools = someTools()
    await say('Look', session, { tools })
    messages.splice(0)
    await say('Here is a summary. Go on.', session, { tools })
    const list = requests.at(-1)!.body.tools as { name?: string; defer_loading?: boolean }[]
    expect(list.find(({ name }) => name === 'mail')).toBeDefined()
    expect(list.find(({ name }) => name === 'mail')!.defer_loading).toBeUndefined()
  })

  it('brings along no tool that is in the list already', async () => {
    const { say, requests } = await talk(provider, [search('select:shell,mail'), search('shell')])
    await say('Look', await newSession(), { tools: someTools() })
    const results = requests.map(({ body }) =>
      JSON.stringify(body.messages ?? body.input).replaceAll('select:shell,mail', ''),
    )
    expect(results[1]).toMatch(/"(tool_)?name":"mail"/)
    expect(results[2]).not.toMatch(/"(tool_)?name":"shell"/)
    expect(results[2]).not.toContain('no longer available')
  })

  it('does not mind where a tool says that a cache ends', async () => {
    const cacheControl = { type: 'ephemeral' }
    const { mail, ...others } = someTools()
    const tools = { ...others, mail: { ...mail, providerOptions: { anthropic: { cacheControl } } } }
    const { say, requests } = await talk(provider, [search('letter')])
    await say('Look', await newSession(), { tools })
    expect(requests[1]!.text).not.toContain('cache_control')
  })

  it('says so when nothing is found', async () => {
    const { say, requests } = await talk(provider, [search('qwertzuiop')])
    await say('Look', await newSession(), { tools: someTools() })
    expect(requests).toHaveLength(2)
  })

  it('is as before while there is little', async () => {
    const { say, requests } = await talk(provider, [])
    const session = await createToolSearch().session('a')
    await say('Look', session, { tools: someTools() })
    expect(toolNames(requests[0]!.body)).toEqual(['zebra', 'shell', 'weather', 'mail', 'ask'])
    expect(requests[0]!.text).not.toContain('defer')
  })
})
