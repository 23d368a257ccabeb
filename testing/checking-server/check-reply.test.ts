import { describe, expect, it } from 'vitest'
import { anthropicMessages } from './anthropic/anthropic-messages.ts'
import { chatCompletions } from './chat-completions/chat-completions.ts'
import { checkReply } from './check-reply.ts'
import { gemini } from './gemini/gemini.ts'
import { inProcessServer } from './in-process-server.ts'
import { openaiResponses } from './openai-responses/openai-responses.ts'
import type { Reply } from './reply.ts'
import { takeScriptErrors } from './script-errors.ts'
import type { Service } from './service.ts'

const schema = {
  type: 'object',
  properties: { to: { type: 'string' }, cc: { type: 'string' } },
  required: ['to'],
}
const open = { type: 'object', properties: { values: { type: 'object' } } }
const any = {
  type: 'object',
  properties: { values: { type: 'object', additionalProperties: true } },
}
const call = (name: string, input: unknown): Reply => ({ calls: [{ name, arguments: input }] })
const mail = call('mail', { to: 'Ann' })
const wrong = call('mail', { to: 7 })
const keep = call('keep', { values: { a: 1 } })
const toOpenApi = (json: object) =>
  JSON.parse(JSON.stringify(json).replaceAll(/"(object|string)"/g, (type) => type.toUpperCase()))
const POSSIBLE = /^$/
const UNKNOWN = /cannot call "\w+" here/
const INVALID = /cannot call "\w+" with/

type Row = [what: string, body: object, reply: Reply, expected: RegExp]

/** Why the model cannot write a reply. Empty if it can. */
function refusal(...args: Parameters<typeof checkReply>): string {
  try {
    checkReply(...args)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

function describeService(name: string, service: Service, rows: readonly Row[]): void {
  it.each(rows)(`${name}: %s`, (_, body, reply, expected) => {
    expect(refusal(reply, service.callableTools(body as never, reply))).toMatch(expected)
  })
}

describe('the tools and arguments that a model can write', () => {
  const tool = { name: 'mail', input_schema: schema }
  const bm25 = { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' }
  const change = (type: string, changed: object) => ({
    role: 'system',
    content: [{ type, tool: changed }],
  })
  const defined = { type: 'tool_definition', definition: tool }
  const reference = { type: 'tool_reference', name: 'mail' }
  describeService('Anthropic', anthropicMessages(), [
    ['a listed tool', { tools: [tool] }, mail, POSSIBLE],
    ['arguments that its schema excludes', { tools: [tool] }, wrong, INVALID],
    ['a deferred tool', { tools: [{ ...tool, defer_loading: true }] }, mail, POSSIBLE],
    [
      'a tool that a message adds',
      { messages: [change('tool_addition', defined)] },
      mail,
      POSSIBLE,
    ],
    ['its arguments', { messages: [change('tool_addition', defined)] }, wrong, INVALID],
    [
      'a tool that a message removed',
      { tools: [tool], messages: [change('tool_removal', reference)] },
      mail,
      UNKNOWN,
    ],
    ['a tool of the service', { tools: [bm25] }, call('tool_search_tool_bm25', {}), UNKNOWN],
    [
      'a tool without a schema',
      { tools: [{ type: 'bash_1', name: 'bash' }] },
      call('bash', {}),
      POSSIBLE,
    ],
    ['any other tool', { tools: [tool] }, call('post', {}), UNKNOWN],
    ['no tool', { tools: [tool], tool_choice: { type: 'none' } }, mail, UNKNOWN],
    [
      'the forced tool only',
      { tools: [tool, { ...tool, name: 'post' }], tool_choice: { type: 'tool', name: 'post' } },
      mail,
      UNKNOWN,
    ],
  ])

  const named = { type: 'function', name: 'mail', parameters: schema, strict: false }
  const deferred = { ...named, defer_loading: true }
  const { strict: _, ...normalized } = named
  const crm = { type: 'namespace', name: 'crm', description: 'CRM', tools: [named] }
  const client = { type: 'tool_search', execution: 'client', parameters: schema }
  const output = { type: 'tool_search_output', call_id: 'a', tools: [deferred] }
  describeService('OpenAI Responses', openaiResponses(), [
    ['a listed function', { tools: [named] }, mail, POSSIBLE],
    ['arguments that its schema excludes', { tools: [named] }, wrong, INVALID],
    ['a function of a namespace', { tools: [crm] }, mail, POSSIBLE],
    ['a function with its namespace', { tools: [crm] }, call('crm.mail', { to: 'Ann' }), POSSIBLE],
    ['a deferred function', { tools: [deferred] }, mail, UNKNOWN],
    [
      'a deferred function that the reply finds',
      { tools: [deferred] },
      { ...mail, search: { found: ['mail'] } },
      POSSIBLE,
    ],
    ['a function that was found', { input: [output] }, mail, POSSIBLE],
    ['its arguments', { input: [output] }, wrong, INVALID],
    [
      'an added function',
      { input: [{ type: 'additional_tools', tools: [named] }] },
      mail,
      POSSIBLE,
    ],
    ['a search', { tools: [client] }, { clientSearch: { arguments: { to: 'a' } } }, POSSIBLE],
    ['arguments of a search', { tools: [client] }, { clientSearch: { arguments: {} } }, INVALID],
    [
      'an allowed function only',
      { tools: [named], tool_choice: { type: 'allowed_tools', tools: [{ name: 'post' }] } },
      mail,
      UNKNOWN,
    ],
    ['no optional arguments, without `strict`', { tools: [normalized] }, mail, INVALID],
    [
      'all arguments, without `strict`',
      { tools: [normalized] },
      call('mail', { to: 'Ann', cc: 'Bob' }),
      POSSIBLE,
    ],
    [
      'no property of an object that declares none, without `strict`',
      { tools: [{ type: 'function', name: 'keep', parameters: open }] },
      keep,
      INVALID,
    ],
    [
      'any property of an open object, which cannot be strict',
      { tools: [{ type: 'function', name: 'keep', parameters: any }] },
      keep,
      POSSIBLE,
    ],
  ])

  const chat = (parameters: object, more: object = {}) => ({
    tools: [{ type: 'function', function: { name: 'mail', parameters }, ...more }],
  })
  describeService('Chat Completions', chatCompletions({ deferral: 'reference' }), [
    ['a listed function', chat(schema), mail, POSSIBLE],
    ['arguments that its schema excludes', chat(schema), wrong, INVALID],
    ['a deferred function', chat(schema, { defer_loading: true }), mail, POSSIBLE],
    ['any other function', chat(schema), call('post', {}), UNKNOWN],
    ['no function', { ...chat(schema), tool_choice: 'none' }, mail, UNKNOWN],
  ])

  const declare = (declaration: object) => ({ tools: [{ functionDeclarations: [declaration] }] })
  describeService('Gemini', gemini(), [
    [
      'a declared function',
      declare({ name: 'mail', parametersJsonSchema: schema }),
      mail,
      POSSIBLE,
    ],
    [
      'arguments in JSON Schema',
      declare({ name: 'mail', parametersJsonSchema: schema }),
      wrong,
      INVALID,
    ],
    [
      'a function in OpenAPI',
      declare({ name: 'mail', parameters: toOpenApi(schema) }),
      mail,
      POSSIBLE,
    ],
    [
      'arguments in OpenAPI',
      declare({ name: 'mail', parameters: toOpenApi(schema) }),
      wrong,
      INVALID,
    ],
    [
      'any property of an open object',
      declare({ name: 'keep', parametersJsonSchema: any }),
      keep,
      POSSIBLE,
    ],
    [
      'no property of an object in OpenAPI that declares none',
      declare({ name: 'keep', parameters: toOpenApi(open) }),
      keep,
      INVALID,
    ],
    ['any other function', declare({ name: 'mail' }), call('post', {}), UNKNOWN],
    [
      'an allowed function only',
      {
        ...declare({ name: 'mail' }),
        toolConfig: {
          functionCallingConfig: { mode: 'VALIDATED', allowedFunctionNames: ['post'] },
        },
      },
      mail,
      UNKNOWN,
    ],
  ])
})

describe('a script with a reply that the model cannot write', () => {
  const tools = [{ type: 'function', function: { name: 'mail', parameters: schema } }]
  const send = async (reply: Reply) => {
    const server = inProcessServer({ service: chatCompletions(), replies: [reply] })
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer k' },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello' }], tools }),
    })
    await server.close()
    return response
  }

  it('fails the request and the test', async () => {
    const response = await send(wrong)
    expect(response.status).toBe(500)
    expect(await response.text()).toContain('arguments/to must be string')
    expect(takeScriptErrors()).toMatchObject([{ code: 'impossible_reply' }])
  })

  it('is possible for an unconstrained model', async () => {
    expect((await send({ ...wrong, unconstrained: true })).status).toBe(200)
    expect((await send({ ...call('post', {}), unconstrained: true })).status).toBe(200)
  })
})
