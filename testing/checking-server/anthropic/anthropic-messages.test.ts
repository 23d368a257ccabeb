import Anthropic from '@anthropic-ai/sdk'
import Anthropic0 from 'anthropic-sdk-0'
import { afterEach, describe, expect, it } from 'vitest'
import type { Reply } from '../reply.ts'
import { type CheckingServer, startCheckingServer } from '../start-checking-server.ts'
import { type AnthropicMessagesOptions, anthropicMessages } from './anthropic-messages.ts'

const CHANGES = 'mid-conversation-tool-changes-2026-07-01'
const INLINE = 'inline-tools-2026-09-15'
const MCP = 'mcp-client-2025-11-20'

const schema = { type: 'object', properties: {} }
const find = { name: 'find', input_schema: schema }
const mail = { name: 'mail', description: 'Sends mail', input_schema: schema }
const deferred = { ...mail, defer_loading: true }
const bm25 = { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' }
const hello = { role: 'user', content: 'Hello' }
const use = (id: string, name = 'find') => ({ type: 'tool_use', id, name, input: {} })
const result = (id: string, content: unknown = 'ok') => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
})
const reference = (tool_name: string) => ({ type: 'tool_reference', tool_name })
const asked = (...content: unknown[]) => ({ role: 'assistant', content })
const user = (...content: unknown[]) => ({ role: 'user', content })
const system = (...content: unknown[]) => ({ role: 'system', content })
const text = (words: string) => ({ type: 'text', text: words })
const found = (content: unknown) => [hello, asked(use('a')), user(result('a', content))]
const searched = (name = 'mail') => [
  { type: 'server_tool_use', id: 'srvtoolu_1', name: 'tool_search_tool_bm25', input: {} },
  {
    type: 'tool_search_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: { type: 'tool_search_tool_search_result', tool_references: [reference(name)] },
  },
]
const add = (tool: unknown) => ({ type: 'tool_addition', tool })
const named = (name: string) => ({ type: 'tool_reference', name })
const inline = (definition: unknown) => ({ type: 'tool_definition', definition })
const toolset = { type: 'mcp_toolset', mcp_server_name: 'crm' }
const crm = { type: 'url', name: 'crm', url: 'https://crm.example' }

interface WireError {
  error: { error: { message: string; details?: { error_code: string } } }
}

interface Case {
  it: string
  refused: object
  accepted: object
  says: string | RegExp
  code?: string
  betas?: string[]
}

const cases: Case[] = [
  {
    it: 'a reference to a tool that is not declared',
    refused: { tools: [find], messages: found([reference('mail')]) },
    accepted: { tools: [find, deferred], messages: found([reference('mail')]) },
    says: "Tool reference 'mail' not found in available tools",
    code: 'tool_reference_unresolved',
  },
  {
    it: 'a reference in a native search to a tool that is gone',
    refused: { tools: [bm25, find], messages: [hello, asked(...searched('gone')), hello] },
    accepted: { tools: [bm25, deferred], messages: [hello, asked(...searched()), hello] },
    says: "Tool reference 'gone' not found in available tools",
    code: 'tool_reference_unresolved',
  },
  {
    it: 'a reference to a tool that is not deferred',
    refused: { tools: [find, mail], messages: found([reference('mail')]) },
    accepted: { tools: [find, deferred], messages: found([reference('mail')]) },
    says: 'defer_loading=true',
  },
  {
    it: 'tools that are all deferred',
    refused: { tools: [deferred] },
    accepted: { tools: [find, deferred] },
    says: 'At least one tool must have defer_loading=false',
  },
  {
    it: 'a deferred tool with cache_control',
    refused: { tools: [find, { ...deferred, cache_control: { type: 'ephemeral' } }] },
    accepted: { tools: [{ ...find, cache_control: { type: 'ephemeral' } }, deferred] },
    says: "Tool 'mail' cannot have both defer_loading=true and cache_control set",
  },
  {
    it: 'two tools of one name',
    refused: { tools: [find, find] },
    accepted: { tools: [find, mail] },
    says: 'Tool names must be unique.',
  },
  {
    it: 'a name with a dot',
    refused: { tools: [{ ...find, name: 'a.b' }] },
    accepted: { tools: [{ ...find, name: 'a-b' }] },
    says: 'tools.0.custom.name: String should match pattern',
  },
  {
    it: 'a name of 129 characters',
    refused: { tools: [{ ...find, name: 'a'.repeat(129) }] },
    accepted: { tools: [{ ...find, name: 'a'.repeat(128) }] },
    says: 'String should match pattern',
  },
  {
    it: 'a schema that is no object',
    refused: { tools: [{ name: 'find', input_schema: { type: 'string' } }] },
    accepted: { tools: [find] },
    says: "tools.0.custom.input_schema.type: Input should be 'object'",
  },
  {
    it: 'a schema that is a choice at its top',
    refused: { tools: [{ name: 'find', input_schema: { ...schema, anyOf: [] } }] },
    accepted: { tools: [{ name: 'find', input_schema: { ...schema, $defs: { anyOf: {} } } }] },
    says: 'does not support oneOf, allOf, or anyOf at the top level',
  },
  {
    it: 'a tool without a schema',
    refused: { tools: [{ name: 'find' }] },
    accepted: { tools: [{ type: 'custom', ...find }] },
    says: 'tools.0.custom.input_schema: Field required',
  },
  {
    it: 'more than 10,000 tools',
    refused: { tools: Array.from({ length: 10_001 }, (_, i) => ({ ...find, name: `t${i}` })) },
    accepted: { tools: Array.from({ length: 10_000 }, (_, i) => ({ ...find, name: `t${i}` })) },
    says: 'at most 10000',
    code: 'available_tools_limit_exceeded',
  },
  {
    it: 'a native search tool under another name',
    refused: { tools: [{ ...bm25, name: 'search' }, deferred] },
    accepted: { tools: [{ ...bm25, type: 'tool_search_tool_bm25' }, deferred] },
    says: "Input should be 'tool_search_tool_bm25'",
  },
  {
    it: 'a call without its result',
    refused: { tools: [find], messages: [hello, asked(use('a'), use('b')), user(result('a'))] },
    accepted: {
      tools: [find],
      messages: [hello, asked(use('a'), use('b')), user(result('b'), result('a'))],
    },
    says: '`tool_use` ids were found without `tool_result` blocks immediately after: b.',
  },
  {
    it: 'a result that is not in the very next message',
    refused: {
      tools: [find],
      messages: [hello, asked(use('a')), user(text('wait')), user(result('a'))],
    },
    accepted: { tools: [find], messages: [hello, asked(use('a')), user(result('a'))] },
    says: 'immediately after: a.',
  },
  {
    it: 'a result behind a text',
    refused: { tools: [find], messages: [hello, asked(use('a')), user(text('x'), result('a'))] },
    accepted: { tools: [find], messages: [hello, asked(use('a')), user(result('a'), text('x'))] },
    says: 'immediately after: a.',
  },
  {
    it: 'a result without its call',
    refused: { tools: [find], messages: [user(result('a'))] },
    accepted: { tools: [find], messages: found('ok') },
    says: 'messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: a.',
  },
  {
    it: 'two results for one call',
    refused: { messages: [hello, asked(use('a')), user(result('a'), result('a'))] },
    accepted: { messages: [hello, asked(use('a')), user(result('a'))] },
    says: 'each tool_use must have a single result',
  },
  {
    it: 'two calls of one id',
    refused: {
      messages: [hello, asked(use('a')), user(result('a')), asked(use('a')), user(result('a'))],
    },
    accepted: {
      messages: [hello, asked(use('a')), user(result('a')), asked(use('b')), user(result('b'))],
    },
    says: '`tool_use` ids must be unique',
  },
  {
    it: 'a call by an id of another provider',
    refused: {
      messages: [hello, asked(use('functions.find:0')), user(result('functions.find:0'))],
    },
    accepted: {
      messages: [hello, asked(use('functions_find_0')), user(result('functions_find_0'))],
    },
    says: 'messages.1.content.0.tool_use.id: String should match pattern',
  },
  {
    it: 'a call whose input is text',
    refused: { messages: [hello, asked({ ...use('a'), input: '{}' }), user(result('a'))] },
    accepted: { messages: [hello, asked({ ...use('a'), input: { a: 1 } }), user(result('a'))] },
    says: 'messages.1.content.0.tool_use.input: Input should be a valid dictionary',
  },
  {
    it: 'a message without content',
    refused: { messages: [user()] },
    accepted: { messages: [hello, asked()] },
    says: 'messages.0: all messages must have non-empty content',
  },
  {
    it: 'an empty text',
    refused: { messages: [user(text(''))] },
    accepted: { messages: [user(text('.'))] },
    says: 'text content blocks must be non-empty',
  },
  {
    it: 'a text of spaces',
    refused: { messages: found([text(' \n')]) },
    accepted: { messages: found([text(' \n.')]) },
    says: 'text content blocks must contain non-whitespace text',
  },
  {
    it: 'an empty system block',
    refused: { system: [text('')] },
    accepted: { system: [text('Be kind.')] },
    says: 'system: text content blocks must be non-empty',
  },
  {
    it: 'an empty list as a result',
    refused: { messages: found([]) },
    accepted: { messages: found('') },
    says: 'tool_result.content: List should have at least 1 item',
  },
  {
    it: "a client's result for the service's search",
    refused: {
      tools: [bm25, deferred],
      messages: [hello, asked(...searched()), user(result('srvtoolu_1'))],
    },
    accepted: {
      tools: [bm25, deferred],
      messages: [hello, asked(...searched(), use('a', 'mail')), user(result('a'))],
    },
    says: 'unexpected `tool_use_id` found in `tool_result` blocks: srvtoolu_1',
  },
  {
    it: 'a native search without its result',
    refused: { tools: [bm25, deferred], messages: [hello, asked(searched()[0]), hello] },
    accepted: { tools: [bm25, deferred], messages: [hello, asked(...searched()), hello] },
    says: 'was found without a corresponding `tool_search_tool_result` block',
  },
  {
    it: 'a native result without its search',
    refused: { tools: [bm25, deferred], messages: [hello, asked(searched()[1]), hello] },
    accepted: { tools: [bm25, deferred], messages: [hello, asked(...searched()), hello] },
    says: 'must have a corresponding `server_tool_use` block before it',
  },
  {
    it: 'a native search in the history when the search tool is gone',
    refused: { tools: [find, deferred], messages: [hello, asked(...searched()), hello] },
    accepted: { tools: [bm25, deferred], messages: [hello, asked(...searched()), hello] },
    says: 'requires the tool to be provided in `tools`',
  },
  {
    it: 'a system message before a user turn',
    refused: { messages: [hello, system(text('Now.')), hello] },
    accepted: {
      messages: [hello, system(text('Now.')), system(text('Go.')), asked(text('Yes')), hello],
    },
    says: "must precede an 'assistant' message or end the array",
  },
  {
    it: 'a first message that is not of the user',
    refused: { messages: [asked(text('Hi')), hello] },
    accepted: { messages: [hello, asked(text('Hi')), hello] },
    says: 'first message must use the "user" role',
  },
  {
    it: 'a strange role',
    refused: { messages: [hello, { role: 'tool', content: 'x' }] },
    accepted: { messages: [hello, { role: 'system', content: 'x' }] },
    says: 'messages.1.role',
  },
  {
    it: 'tool_addition without its beta',
    refused: { tools: [find, deferred], messages: [hello, system(add(named('mail')))] },
    accepted: { tools: [find, deferred], messages: [hello, system(text('Go'))] },
    says: "messages.1.content.0: Input tag 'tool_addition' found using 'type'",
  },
  {
    it: 'tool_addition of an unknown tool',
    refused: { tools: [find], messages: [hello, system(add(named('mail')))] },
    accepted: { tools: [find, deferred], messages: [hello, system(add(named('mail')))] },
    betas: [CHANGES],
    says: "references unknown tool 'mail'",
    code: 'tool_reference_unresolved',
  },
  {
    it: 'tool_addition on a model that refuses it',
    refused: {
      model: 'claude-sonnet-5',
      tools: [find, deferred],
      messages: [hello, system(add(named('mail')))],
    },
    accepted: { tools: [find, deferred], messages: [hello, system(add(named('mail')))] },
    betas: [CHANGES],
    says: 'tool_addition/tool_removal is not supported on this model',
  },
  {
    it: 'tool_addition on a dated name of such a model',
    refused: {
      model: 'claude-sonnet-5-20260601',
      tools: [find, deferred],
      messages: [hello, system(add(named('mail')))],
    },
    accepted: {
      model: 'claude-sonnet-5-5',
      tools: [find, deferred],
      messages: [hello, system(add(named('mail')))],
    },
    betas: [CHANGES],
    says: 'tool_addition/tool_removal is not supported on this model',
  },
  {
    it: 'a system message on a model that knows none',
    refused: { model: 'claude-haiku-4-5', messages: [hello, system(text('Now.'))] },
    accepted: { model: 'claude-sonnet-5', messages: [hello, system(text('Now.'))] },
    says: "role 'system' is not supported on this model",
  },
  {
    it: 'tool_addition in a user message',
    refused: { tools: [find, deferred], messages: [user(add(named('mail')))] },
    accepted: { tools: [find, deferred], messages: [hello, system(add(named('mail')))] },
    betas: [CHANGES],
    says: 'blocks are only permitted within role: "system" messages',
  },
  {
    it: 'an inline definition without its beta',
    refused: { tools: [find], messages: [hello, system(add(inline(mail)))] },
    accepted: { tools: [find, deferred], messages: [hello, system(add(named('mail')))] },
    betas: [CHANGES],
    says: "Input tag 'tool_definition'",
  },
  {
    it: 'an inline definition under the name of a tool of another kind',
    refused: { tools: [find], messages: [hello, system(add(inline({ ...bm25, name: 'find' })))] },
    accepted: { tools: [find], messages: [hello, system(add(inline({ ...find, strict: true })))] },
    betas: [CHANGES, INLINE],
    says: 'another kind',
    code: 'tool_name_conflict',
  },
  {
    it: 'tool_removal before the definition',
    refused: {
      tools: [find],
      messages: [hello, system({ type: 'tool_removal', tool: named('mail') }, add(inline(mail)))],
    },
    accepted: {
      tools: [find],
      messages: [hello, system(add(inline(mail)), { type: 'tool_removal', tool: named('mail') })],
    },
    betas: [CHANGES, INLINE],
    says: "tool_removal references unknown tool 'mail'",
    code: 'tool_reference_unresolved',
  },
  {
    it: 'betas left in the body',
    refused: { betas: [CHANGES] },
    accepted: { metadata: { user_id: 'betas' } },
    says: 'betas: Extra inputs are not permitted',
  },
  {
    it: 'an unknown field of a tool',
    refused: { tools: [{ ...find, deferLoading: true }] },
    accepted: { tools: [{ ...find, strict: true }] },
    says: 'tools.0.custom.deferLoading: Extra inputs are not permitted',
  },
  {
    it: 'an unknown field of a block',
    refused: { messages: [user({ ...text('x'), id: 1 })] },
    accepted: { messages: [user({ ...text('x'), cache_control: { type: 'ephemeral' } })] },
    says: 'messages.0.content.0.text.id: Extra inputs are not permitted',
  },
  {
    it: 'an MCP toolset without a server',
    refused: { tools: [toolset] },
    accepted: { tools: [toolset], mcp_servers: [crm] },
    betas: [MCP],
    says: "MCP server 'crm' referenced in mcp_toolset not found in mcp_servers",
  },
  {
    it: 'an MCP toolset without the beta',
    refused: { tools: [toolset], mcp_servers: [crm] },
    accepted: { tools: [find] },
    says: 'Extra inputs are not permitted',
  },
  {
    it: 'an MCP toolset in a request that has no beta and no server',
    refused: { tools: [find, toolset] },
    accepted: { tools: [find] },
    says: "tools.1: Input tag 'mcp_toolset' found using 'type'",
  },
  {
    it: 'a reference that no MCP server can answer for',
    refused: { tools: [find], messages: found([reference('mail')]) },
    accepted: {
      tools: [find, toolset],
      mcp_servers: [crm],
      messages: found([reference('mail')]),
    },
    betas: [MCP],
    says: "Tool reference 'mail' not found in available tools",
    code: 'tool_reference_unresolved',
  },
  {
    it: 'a reference without a name',
    refused: { tools: [find, deferred], messages: found([{ type: 'tool_reference' }]) },
    accepted: { tools: [find, deferred], messages: found([reference('mail')]) },
    says: 'tool_reference.tool_name: Field required',
  },
  {
    it: 'a request without a model',
    refused: { model: undefined },
    accepted: {},
    says: 'model: Field required',
  },
  {
    it: 'tools that are no list',
    refused: { tools: 'find' },
    accepted: { tools: [] },
    says: 'tools: Input should be a valid list',
  },
  {
    it: 'a request without messages',
    refused: { messages: [] },
    accepted: { messages: [hello] },
    says: 'messages: at least one message is required',
  },
  {
    it: 'a choice of an unknown tool',
    refused: { tools: [find], tool_choice: { type: 'tool', name: 'mail' } },
    accepted: { tools: [find], tool_choice: { type: 'tool', name: 'find' } },
    says: "Tool 'mail' not found in provided tools",
  },
  {
    it: 'a choice of a tool that nothing has revealed',
    refused: { tools: [find, deferred], tool_choice: { type: 'tool', name: 'mail' } },
    accepted: {
      tools: [find, deferred],
      tool_choice: { type: 'tool', name: 'mail' },
      messages: found([reference('mail')]),
    },
    says: "tool 'mail' has defer_loading=true and has not been loaded",
  },
  {
    it: 'a choice on a model that takes no orders',
    refused: { model: 'claude-opus-5-5', tools: [find], tool_choice: { type: 'any' } },
    accepted: { model: 'claude-opus-5-5', tools: [find], tool_choice: { type: 'auto' } },
    says: 'tool_choice: type "tool" and "any" are not supported for this model.',
  },
  {
    it: 'a choice without tools',
    refused: { tool_choice: { type: 'any' } },
    accepted: { tool_choice: { type: 'any' }, tools: [find] },
    says: 'may only be specified while providing `tools`',
  },
]

const rejections: {
  it: string
  rejects: string
  request: object
  betas?: string[]
  says: string
}[] = [
  {
    it: 'a field',
    rejects: 'defer_loading',
    request: { tools: [find, deferred] },
    says: 'tools.1.defer_loading: Extra inputs are not permitted',
  },
  {
    it: 'a block in a result',
    rejects: 'tool_reference',
    request: { tools: [find, deferred], messages: found([reference('mail')]) },
    says: "messages.2.content.0.content.0: Input tag 'tool_reference' found using 'type' does not match any of the expected tags",
  },
  {
    it: 'a tool type',
    rejects: bm25.type,
    request: { tools: [bm25, deferred] },
    says: `tools.0: Input tag '${bm25.type}' found using 'type'`,
  },
  {
    it: 'a beta',
    rejects: CHANGES,
    request: { tools: [find] },
    betas: [CHANGES],
    says: `Unexpected value(s) \`${CHANGES}\` for the \`anthropic-beta\` header`,
  },
]

let server: CheckingServer | undefined
afterEach(() => server?.close())

const start = async (options: AnthropicMessagesOptions = {}, replies: Reply[] = []) => {
  server = await startCheckingServer({ service: anthropicMessages(options), replies })
}
const base = { model: 'claude-opus-5', max_tokens: 100, messages: [hello] }

describe.each([
  ['@anthropic-ai/sdk 1', Anthropic],
  ['@anthropic-ai/sdk 0', Anthropic0 as unknown as typeof Anthropic],
])('%s', (_, Sdk) => {
  const connect = () => new Sdk({ apiKey: 'k', baseURL: server!.url, maxRetries: 0 })
  const send = (request: object, betas?: string[]): Promise<unknown> => {
    const params = { ...base, ...request } as never
    return betas
      ? connect().beta.messages.create({ ...(params as object), betas } as never)
      : connect().messages.create(params)
  }

  it.each(cases)('refuses $it', async ({ refused, accepted, says, code, betas }) => {
    await start()
    const error = await send(refused, betas).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(Sdk.BadRequestError)
    expect((error as WireError).error.error.message).toMatch(says)
    expect((error as WireError).error.error.details?.error_code).toBe(code)
    expect(server!.requests[0]?.problem?.status).toBe(400)
    await expect(send(accepted, betas)).resolves.toMatchObject({ stop_reason: 'end_turn' })
  })

  it.each(rejections)('refuses $it that the endpoint does not know', async (row) => {
    await start({ rejects: [row.rejects] })
    const error = await send(row.request, row.betas).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(Sdk.BadRequestError)
    expect((error as WireError).error.error.message).toContain(row.says)
    const properties = Object.fromEntries([[row.rejects, { type: 'string' }]])
    const inSchema = { tools: [{ ...find, input_schema: { type: 'object', properties } }] }
    await expect(send(inSchema)).resolves.toBeDefined()
  })

  it('wants a key and a version', async () => {
    await start()
    const with_ = (defaultHeaders: Record<string, null>) =>
      new Sdk({ apiKey: 'k', baseURL: server!.url, maxRetries: 0, defaultHeaders })
    const noVersion = with_({ 'anthropic-version': null }).messages.create(base as never)
    await expect(noVersion).rejects.toThrow('anthropic-version: header is required')
    const response = await fetch(`${server!.url}/v1/messages`, { method: 'POST', body: '{"a":1}' })
    expect(response.status).toBe(401)
  })

  it.each<[string, object, Reply, object[]]>([
    ['a text', {}, { text: 'Hello there' }, [{ type: 'text', text: 'Hello there' }]],
    [
      'text and calls',
      { tools: [find] },
      { text: 'One moment', calls: [{ id: 'a', name: 'find', arguments: { query: 'mail' } }] },
      [
        { type: 'text', text: 'One moment' },
        { type: 'tool_use', id: 'a', name: 'find', input: { query: 'mail' } },
      ],
    ],
    [
      'a search of the service',
      { tools: [bm25, deferred] },
      { search: { found: ['mail'] }, calls: [{ id: 'a', name: 'mail', arguments: {} }] },
      [
        { type: 'server_tool_use', name: 'tool_search_tool_bm25', input: { query: 'mail' } },
        { type: 'tool_search_tool_result', content: { tool_references: [reference('mail')] } },
        { type: 'tool_use', id: 'a', input: {} },
      ],
    ],
  ])('streams %s to the same message as the whole form', async (_name, request, reply, content) => {
    await start({}, [reply, reply])
    const params = { ...base, ...request } as never
    const whole = await connect().messages.create(params)
    const stream = connect().messages.stream(params)
    const deltas: unknown[] = []
    stream.on('streamEvent', (event) => event.type === 'content_block_delta' && deltas.push(event))
    const streamed = await stream.finalMessage()

    expect(whole.content).toMatchObject(content)
    expect(withoutIds(streamed)).toEqual(withoutIds(whole))
    expect(deltas.length).toBeGreaterThan(1)
    expect(whole.stop_reason).toBe(reply.calls ? 'tool_use' : 'end_turn')
  })
})

it('accepts its own replies when they are sent back', async () => {
  await start({}, [
    { search: { found: ['mail'] }, text: 'Sending', calls: [{ name: 'mail', arguments: {} }] },
  ])
  const client = new Anthropic({ apiKey: 'k', baseURL: server!.url, maxRetries: 0 })
  const request = { ...base, tools: [bm25, deferred] }
  const first = await client.messages.create(request as never)
  const call = first.content.find((block) => block.type === 'tool_use')!
  const messages = [hello, { role: 'assistant', content: first.content }, user(result(call.id))]
  const second = await client.messages.create({ ...request, messages } as never)
  expect(second.content).toMatchObject([{ type: 'text', text: 'Done.' }])
})

it('says so when the script asks for a search that the request does not allow', async () => {
  await start({}, [{ search: { found: ['mail'] } }])
  const client = new Anthropic({ apiKey: 'k', baseURL: server!.url, maxRetries: 0 })
  await expect(client.messages.create(base as never)).rejects.toThrow('declares no search tool')
})

describe('promptOf', () => {
  const { promptOf } = anthropicMessages()

  it('puts a revealed definition where it is revealed', () => {
    const body = { tools: [find, deferred], system: 'Be kind.' }
    const before = promptOf({ ...body, messages: [hello, asked(use('a'))] })
    const after = promptOf({
      ...body,
      messages: [...found([reference('mail')]), asked(text('Found'))],
    })
    expect(after.slice(0, before.length)).toEqual(before)
    expect(after.at(-2)).toBe(JSON.stringify(mail))
    expect(before.join()).not.toContain('Sends mail')
  })

  it('shows that a tool put into the list breaks the prefix', () => {
    const before = promptOf({ tools: [find], messages: [hello] })
    const after = promptOf({ tools: [find, mail], messages: [hello, asked(text('x')), hello] })
    expect(after.slice(0, before.length)).not.toEqual(before)
  })

  it('keeps the prefix when a tool is added in a message', () => {
    const before = promptOf({ tools: [find, deferred], messages: [hello] })
    for (const tool of [named('mail'), inline(mail)]) {
      const messages = [hello, system(add(tool))]
      const after = promptOf({ tools: [find, deferred], messages })
      expect(after.slice(0, before.length)).toEqual(before)
      expect(after.join()).toContain('Sends mail')
    }
  })

  it('does not mind where the cache is cut', () => {
    const cached = user({ ...text('Hello'), cache_control: { type: 'ephemeral' } })
    expect(promptOf({ messages: [cached] })).toEqual(promptOf({ messages: [hello] }))
  })
})

function withoutIds(message: object): unknown {
  return JSON.parse(
    JSON.stringify({ ...message, parsed_output: undefined }).replace(/(msg|srvtoolu)_\d+/g, '$1'),
  )
}
