import Anthropic from '@anthropic-ai/sdk'
import Anthropic0 from 'anthropic-sdk-0'
import { afterEach, describe, expect, it } from 'vitest'
import { inProcessServer } from '../in-process-server.ts'
import type { Reply } from '../reply.ts'
import { takeScriptErrors } from '../script-errors.ts'
import type { CheckingServer } from '../start-checking-server.ts'
import { type AnthropicMessagesOptions, anthropicMessages } from './anthropic-messages.ts'

const CHANGES = 'mid-conversation-tool-changes-2026-07-01'
const INLINE = 'inline-tools-2026-09-15'
const MCP = 'mcp-client-2025-11-20'

const COMPACTION = 'compact-2026-09-04'
const summary = { type: 'compaction', content: 'We talked.', signature: 'c2ln' }
const thought = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' }

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
const assistant = (...content: unknown[]) => ({ role: 'assistant', content })
const user = (...content: unknown[]) => ({ role: 'user', content })
const system = (...content: unknown[]) => ({ role: 'system', content })
const text = (words: string) => ({ type: 'text', text: words })
const found = (content: unknown, fields: object = {}) => [
  hello,
  assistant(use('a')),
  user({ ...result('a', content), content, ...fields }),
]
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

interface ApiError {
  error: { error: { message: string; details?: { error_code: string } } }
}

interface Case {
  it: string
  rejected: object
  accepted: object
  message: string | RegExp
  code?: string
  betas?: string[]
}

const png = 'iVBORw0KGgo='
const image = (source: object) => ({ type: 'image', source })
const base64 = (media_type: string, data = png) => ({ type: 'base64', media_type, data })

const closed = { ...schema, properties: { n: { type: 'number' } }, additionalProperties: false }
const count = { name: 'count', input_schema: closed }

const cached = (words: string) => ({ ...text(words), cache_control: { type: 'ephemeral' } })

const cases: Case[] = [
  {
    it: 'more than four cache breakpoints',
    rejected: {
      system: [cached('a'), cached('b')],
      tools: [{ ...find, cache_control: { type: 'ephemeral' } }],
      messages: found([cached('c'), cached('d')]),
    },
    accepted: {
      system: [cached('a'), cached('b')],
      tools: [{ ...find, cache_control: { type: 'ephemeral' } }],
      messages: found([cached('c'), text('d')]),
    },
    message: 'A maximum of 4 blocks with cache_control may be provided. Found 5.',
  },
  {
    it: 'an error result without content',
    rejected: { tools: [find], messages: found(undefined, { is_error: true }) },
    accepted: { tools: [find], messages: found('Failed.', { is_error: true }) },
    message: 'tool_result: content cannot be empty if `is_error` is true',
  },
  {
    it: 'half of a surrogate pair',
    rejected: { messages: [user(text('bad \ud83d'))] },
    accepted: { messages: [user(text('good \ud83d\ude00, and written \\\\ud83d'))] },
    message: 'The request body is not valid JSON: no low surrogate in string',
  },
  {
    it: 'a block in a result that results do not have',
    rejected: { tools: [find], messages: found([{ type: 'audio', source: base64('audio/wav') }]) },
    accepted: { tools: [find], messages: found([image(base64('image/png'))]) },
    message: "tool_result.content.0: Input tag 'audio' found using 'type'",
  },
  {
    it: 'a block of another provider in a result',
    rejected: { tools: [find], messages: found([{ type: 'input_text', text: 'x' }]) },
    accepted: { tools: [find], messages: found([text('x')]) },
    message: "Input tag 'input_text'",
  },
  {
    it: 'an image of an unsupported type',
    rejected: { tools: [find], messages: found([image(base64('image/tiff'))]) },
    accepted: { tools: [find], messages: found([image(base64('image/webp'))]) },
    message: 'image.source.base64.media_type: Input should be',
  },
  {
    it: 'an image whose data is not base64',
    rejected: { tools: [find], messages: found([image(base64('image/png', 'a-_'))]) },
    accepted: { tools: [find], messages: found([image(base64('image/png', 'a+/='))]) },
    message: 'Invalid base64 data',
  },
  {
    it: 'an image of more than 5 MB',
    rejected: { messages: [user(image(base64('image/png', 'AAAA'.repeat(1_400_000))))] },
    accepted: { messages: [user(image(base64('image/png', 'AAAA'.repeat(1_300_000))))] },
    message: 'image exceeds 5 MB maximum: 5600000 bytes > 5242880 bytes',
  },
  {
    it: 'an image with an address that is not https',
    rejected: { messages: [user(image({ type: 'url', url: 'http://a.example/b.png' }))] },
    accepted: { messages: [user(image({ type: 'url', url: 'https://a.example/b.png' }))] },
    message: 'Only HTTPS URLs are supported',
  },
  {
    it: 'a document that is neither a PDF nor text',
    rejected: { messages: [user({ type: 'document', source: base64('application/zip') })] },
    accepted: { messages: [user({ type: 'document', source: base64('application/pdf') })] },
    message: "document.source.base64.media_type: Input should be 'application/pdf'",
  },
  {
    it: 'an image in an error result',
    rejected: {
      tools: [find],
      messages: [
        hello,
        assistant(use('a')),
        user({ ...result('a', [image(base64('image/png'))]), is_error: true }),
      ],
    },
    accepted: {
      tools: [find],
      messages: [hello, assistant(use('a')), user({ ...result('a', [text('x')]), is_error: true })],
    },
    message: 'all content must be type `text` if `is_error` is true',
  },
  {
    it: 'an input example that does not match the schema',
    rejected: { tools: [{ ...count, input_examples: [{ n: 1 }, { n: 'one' }] }] },
    accepted: { tools: [{ ...count, input_examples: [{ n: 1 }] }] },
    message: 'tools.0.custom.input_examples.1: Example does not match',
  },
  {
    it: 'an unknown caller',
    rejected: { tools: [{ ...count, allowed_callers: ['programmatic'] }] },
    accepted: { tools: [{ ...count, allowed_callers: ['direct', 'code_execution_20260120'] }] },
    message: 'tools.0.custom.allowed_callers',
  },
  {
    it: 'a strict tool with an open schema',
    rejected: { tools: [{ ...find, strict: true }] },
    accepted: { tools: [{ ...count, strict: true }] },
    message: "'additionalProperties' must be explicitly set to false",
  },
  {
    it: 'a strict tool for programs',
    rejected: {
      tools: [{ ...count, strict: true, allowed_callers: ['code_execution_20260120'] }],
    },
    accepted: { tools: [{ ...count, strict: true, allowed_callers: ['direct'] }] },
    message: 'strict tools cannot be called from code execution',
  },
  {
    it: 'a reference to an undeclared tool',
    rejected: { tools: [find], messages: found([reference('mail')]) },
    accepted: { tools: [find, deferred], messages: found([reference('mail')]) },
    message: "Tool reference 'mail' not found in available tools",
    code: 'tool_reference_unresolved',
  },
  {
    it: 'a reference in a native search to a removed tool',
    rejected: { tools: [bm25, find], messages: [hello, assistant(...searched('gone')), hello] },
    accepted: { tools: [bm25, deferred], messages: [hello, assistant(...searched()), hello] },
    message: "Tool reference 'gone' not found in available tools",
    code: 'tool_reference_unresolved',
  },
  {
    it: 'a reference to a tool that is not deferred',
    rejected: { tools: [find, mail], messages: found([reference('mail')]) },
    accepted: { tools: [find, deferred], messages: found([reference('mail')]) },
    message: 'defer_loading=true',
  },
  {
    it: 'tools that are all deferred',
    rejected: { tools: [deferred] },
    accepted: { tools: [find, deferred] },
    message: 'At least one tool must have defer_loading=false',
  },
  {
    it: 'a deferred tool with cache_control',
    rejected: { tools: [find, { ...deferred, cache_control: { type: 'ephemeral' } }] },
    accepted: { tools: [{ ...find, cache_control: { type: 'ephemeral' } }, deferred] },
    message: "Tool 'mail' cannot have both defer_loading=true and cache_control set",
  },
  {
    it: 'two tools with the same name',
    rejected: { tools: [find, find] },
    accepted: { tools: [find, mail] },
    message: 'Tool names must be unique.',
  },
  {
    it: 'a name with a dot',
    rejected: { tools: [{ ...find, name: 'a.b' }] },
    accepted: { tools: [{ ...find, name: 'a-b' }] },
    message: 'tools.0.custom.name: String should match pattern',
  },
  {
    it: 'a name of 129 characters',
    rejected: { tools: [{ ...find, name: 'a'.repeat(129) }] },
    accepted: { tools: [{ ...find, name: 'a'.repeat(128) }] },
    message: 'String should match pattern',
  },
  {
    it: 'a schema that is not an object',
    rejected: { tools: [{ name: 'find', input_schema: { type: 'string' } }] },
    accepted: { tools: [find] },
    message: "tools.0.custom.input_schema.type: Input should be 'object'",
  },
  {
    it: 'a schema with a combinator at the root',
    rejected: { tools: [{ name: 'find', input_schema: { ...schema, anyOf: [] } }] },
    accepted: { tools: [{ name: 'find', input_schema: { ...schema, $defs: { anyOf: {} } } }] },
    message: 'does not support oneOf, allOf, or anyOf at the top level',
  },
  {
    it: 'a tool without a schema',
    rejected: { tools: [{ name: 'find' }] },
    accepted: { tools: [{ type: 'custom', ...find }] },
    message: 'tools.0.custom.input_schema: Field required',
  },
  {
    it: 'more than 10,000 tools',
    rejected: { tools: Array.from({ length: 10_001 }, (_, i) => ({ ...find, name: `t${i}` })) },
    accepted: { tools: Array.from({ length: 10_000 }, (_, i) => ({ ...find, name: `t${i}` })) },
    message: 'at most 10000',
    code: 'available_tools_limit_exceeded',
  },
  {
    it: 'a native search tool with the wrong name',
    rejected: { tools: [{ ...bm25, name: 'search' }, deferred] },
    accepted: { tools: [{ ...bm25, type: 'tool_search_tool_bm25' }, deferred] },
    message: "Input should be 'tool_search_tool_bm25'",
  },
  {
    it: 'a call without a result',
    rejected: {
      tools: [find],
      messages: [hello, assistant(use('a'), use('b')), user(result('a'))],
    },
    accepted: {
      tools: [find],
      messages: [hello, assistant(use('a'), use('b')), user(result('b'), result('a'))],
    },
    message: '`tool_use` ids were found without `tool_result` blocks immediately after: b.',
  },
  {
    it: 'a result that is not in the next message',
    rejected: {
      tools: [find],
      messages: [hello, assistant(use('a')), user(text('wait')), user(result('a'))],
    },
    accepted: { tools: [find], messages: [hello, assistant(use('a')), user(result('a'))] },
    message: 'immediately after: a.',
  },
  {
    it: 'a result after a text block',
    rejected: {
      tools: [find],
      messages: [hello, assistant(use('a')), user(text('x'), result('a'))],
    },
    accepted: {
      tools: [find],
      messages: [hello, assistant(use('a')), user(result('a'), text('x'))],
    },
    message: 'immediately after: a.',
  },
  {
    it: 'a result without a call',
    rejected: { tools: [find], messages: [user(result('a'))] },
    accepted: { tools: [find], messages: found('ok') },
    message: 'messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: a.',
  },
  {
    it: 'two results for one call',
    rejected: { messages: [hello, assistant(use('a')), user(result('a'), result('a'))] },
    accepted: { messages: [hello, assistant(use('a')), user(result('a'))] },
    message: 'each tool_use must have a single result',
  },
  {
    it: 'two calls with the same id',
    rejected: {
      messages: [
        hello,
        assistant(use('a')),
        user(result('a')),
        assistant(use('a')),
        user(result('a')),
      ],
    },
    accepted: {
      messages: [
        hello,
        assistant(use('a')),
        user(result('a')),
        assistant(use('b')),
        user(result('b')),
      ],
    },
    message: '`tool_use` ids must be unique',
  },
  {
    it: "a call with an id in another provider's format",
    rejected: {
      messages: [hello, assistant(use('functions.find:0')), user(result('functions.find:0'))],
    },
    accepted: {
      messages: [hello, assistant(use('functions_find_0')), user(result('functions_find_0'))],
    },
    message: 'messages.1.content.0.tool_use.id: String should match pattern',
  },
  {
    it: 'a call whose input is a string',
    rejected: { messages: [hello, assistant({ ...use('a'), input: '{}' }), user(result('a'))] },
    accepted: { messages: [hello, assistant({ ...use('a'), input: { a: 1 } }), user(result('a'))] },
    message: 'messages.1.content.0.tool_use.input: Input should be a valid dictionary',
  },
  {
    it: 'a message without content',
    rejected: { messages: [user()] },
    accepted: { messages: [hello, assistant()] },
    message: 'messages.0: all messages must have non-empty content',
  },
  {
    it: 'an empty text',
    rejected: { messages: [user(text(''))] },
    accepted: { messages: [user(text('.'))] },
    message: 'text content blocks must be non-empty',
  },
  {
    it: 'a text with only spaces',
    rejected: { messages: found([text(' \n')]) },
    accepted: { messages: found([text(' \n.')]) },
    message: 'text content blocks must contain non-whitespace text',
  },
  {
    it: 'an empty system block',
    rejected: { system: [text('')] },
    accepted: { system: [text('Be kind.')] },
    message: 'system: text content blocks must be non-empty',
  },
  {
    it: 'an empty list as a result',
    rejected: { messages: found([]) },
    accepted: { messages: found('') },
    message: 'tool_result.content: List should have at least 1 item',
  },
  {
    it: 'a tool_result for a native search',
    rejected: {
      tools: [bm25, deferred],
      messages: [hello, assistant(...searched()), user(result('srvtoolu_1'))],
    },
    accepted: {
      tools: [bm25, deferred],
      messages: [hello, assistant(...searched(), use('a', 'mail')), user(result('a'))],
    },
    message: 'unexpected `tool_use_id` found in `tool_result` blocks: srvtoolu_1',
  },
  {
    it: 'a native search without its result',
    rejected: { tools: [bm25, deferred], messages: [hello, assistant(searched()[0]), hello] },
    accepted: { tools: [bm25, deferred], messages: [hello, assistant(...searched()), hello] },
    message: 'was found without a corresponding `tool_search_tool_result` block',
  },
  {
    it: 'a native result without its search',
    rejected: { tools: [bm25, deferred], messages: [hello, assistant(searched()[1]), hello] },
    accepted: { tools: [bm25, deferred], messages: [hello, assistant(...searched()), hello] },
    message: 'must have a corresponding `server_tool_use` block before it',
  },
  {
    it: 'a native search in the history without the search tool',
    rejected: { tools: [find, deferred], messages: [hello, assistant(...searched()), hello] },
    accepted: { tools: [bm25, deferred], messages: [hello, assistant(...searched()), hello] },
    message: 'requires the tool to be provided in `tools`',
  },
  {
    it: 'a system message before a user turn',
    rejected: { messages: [hello, system(text('Now.')), hello] },
    accepted: {
      messages: [hello, system(text('Now.')), system(text('Go.')), assistant(text('Yes')), hello],
    },
    message: "must precede an 'assistant' message or end the array",
  },
  {
    it: 'a first message without the user role',
    rejected: { messages: [assistant(text('Hi')), hello] },
    accepted: { messages: [hello, assistant(text('Hi')), hello] },
    message: 'first message must use the "user" role',
  },
  {
    it: 'an unknown role',
    rejected: { messages: [hello, { role: 'tool', content: 'x' }] },
    accepted: { messages: [hello, { role: 'system', content: 'x' }] },
    message: 'messages.1.role',
  },
  {
    it: 'tool_addition without its beta',
    rejected: { tools: [find, deferred], messages: [hello, system(add(named('mail')))] },
    accepted: { tools: [find, deferred], messages: [hello, system(text('Go'))] },
    message: "messages.1.content.0: Input tag 'tool_addition' found using 'type'",
  },
  {
    it: 'tool_addition of an unknown tool',
    rejected: { tools: [find], messages: [hello, system(add(named('mail')))] },
    accepted: { tools: [find, deferred], messages: [hello, system(add(named('mail')))] },
    betas: [CHANGES],
    message: "references unknown tool 'mail'",
    code: 'tool_reference_unresolved',
  },
  {
    it: 'tool_addition on a model that does not support it',
    rejected: {
      model: 'claude-sonnet-5',
      tools: [find, deferred],
      messages: [hello, system(add(named('mail')))],
    },
    accepted: { tools: [find, deferred], messages: [hello, system(add(named('mail')))] },
    betas: [CHANGES],
    message: 'tool_addition/tool_removal is not supported on this model',
  },
  {
    it: 'tool_addition on a dated version of such a model',
    rejected: {
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
    message: 'tool_addition/tool_removal is not supported on this model',
  },
  {
    it: 'a system message on a model that does not support it',
    rejected: { model: 'claude-haiku-4-5', messages: [hello, system(text('Now.'))] },
    accepted: { model: 'claude-sonnet-5', messages: [hello, system(text('Now.'))] },
    message: "role 'system' is not supported on this model",
  },
  {
    it: 'tool_addition in a user message',
    rejected: { tools: [find, deferred], messages: [user(add(named('mail')))] },
    accepted: { tools: [find, deferred], messages: [hello, system(add(named('mail')))] },
    betas: [CHANGES],
    message: 'blocks are only permitted within role: "system" messages',
  },
  {
    it: 'an inline definition without its beta',
    rejected: { tools: [find], messages: [hello, system(add(inline(mail)))] },
    accepted: { tools: [find, deferred], messages: [hello, system(add(named('mail')))] },
    betas: [CHANGES],
    message: "Input tag 'tool_definition'",
  },
  {
    it: 'an inline definition with the name of a different kind of tool',
    rejected: { tools: [find], messages: [hello, system(add(inline({ ...bm25, name: 'find' })))] },
    accepted: { tools: [find], messages: [hello, system(add(inline({ ...find, strict: true })))] },
    betas: [CHANGES, INLINE],
    message: 'another kind',
    code: 'tool_name_conflict',
  },
  {
    it: 'tool_removal before the definition',
    rejected: {
      tools: [find],
      messages: [hello, system({ type: 'tool_removal', tool: named('mail') }, add(inline(mail)))],
    },
    accepted: {
      tools: [find],
      messages: [hello, system(add(inline(mail)), { type: 'tool_removal', tool: named('mail') })],
    },
    betas: [CHANGES, INLINE],
    message: "tool_removal references unknown tool 'mail'",
    code: 'tool_reference_unresolved',
  },
  {
    it: 'betas left in the body',
    rejected: { betas: [CHANGES] },
    accepted: { metadata: { user_id: 'betas' } },
    message: 'betas: Extra inputs are not permitted',
  },
  {
    it: 'an unknown field of a tool',
    rejected: { tools: [{ ...find, deferLoading: true }] },
    accepted: { tools: [{ ...count, strict: true }] },
    message: 'tools.0.custom.deferLoading: Extra inputs are not permitted',
  },
  {
    it: 'an unknown field of a block',
    rejected: { messages: [user({ ...text('x'), id: 1 })] },
    accepted: { messages: [user({ ...text('x'), cache_control: { type: 'ephemeral' } })] },
    message: 'messages.0.content.0.text.id: Extra inputs are not permitted',
  },
  {
    it: 'an MCP toolset without a server',
    rejected: { tools: [toolset] },
    accepted: { tools: [toolset], mcp_servers: [crm] },
    betas: [MCP],
    message: "MCP server 'crm' referenced in mcp_toolset not found in mcp_servers",
  },
  {
    it: 'an MCP toolset without the beta',
    rejected: { tools: [toolset], mcp_servers: [crm] },
    accepted: { tools: [find] },
    message: 'Extra inputs are not permitted',
  },
  {
    it: 'an MCP toolset without the beta and without a server',
    rejected: { tools: [find, toolset] },
    accepted: { tools: [find] },
    message: "tools.1: Input tag 'mcp_toolset' found using 'type'",
  },
  {
    it: 'an unresolved reference without an MCP server',
    rejected: { tools: [find], messages: found([reference('mail')]) },
    accepted: {
      tools: [find, toolset],
      mcp_servers: [crm],
      messages: found([reference('mail')]),
    },
    betas: [MCP],
    message: "Tool reference 'mail' not found in available tools",
    code: 'tool_reference_unresolved',
  },
  {
    it: 'a reference without a name',
    rejected: { tools: [find, deferred], messages: found([{ type: 'tool_reference' }]) },
    accepted: { tools: [find, deferred], messages: found([reference('mail')]) },
    message: 'tool_reference.tool_name: Field required',
  },
  {
    it: 'more than 10,000 deferred tools',
    rejected: {
      tools: [find, ...Array.from({ length: 10_000 }, (_, i) => ({ ...deferred, name: `t${i}` }))],
    },
    accepted: {
      tools: [find, ...Array.from({ length: 9_999 }, (_, i) => ({ ...deferred, name: `t${i}` }))],
    },
    message: 'List should have at most 10000 items after validation, not 10001',
    code: 'available_tools_limit_exceeded',
  },
  {
    it: 'a system message after an assistant message',
    rejected: { messages: [hello, assistant(text('Hi')), system(text('Be kind.'))] },
    accepted: { messages: [hello, assistant(text('Hi')), hello, system(text('Be kind.'))] },
    message: "a 'system' message must not follow an 'assistant' message",
  },
  {
    it: 'a signed compaction block after another message',
    rejected: { messages: [hello, assistant(summary), hello] },
    accepted: { messages: [assistant(summary), hello] },
    message: 'a compaction block must be the first block',
    code: 'compaction_block_misplaced',
    betas: [COMPACTION],
  },
  {
    it: 'a signed compaction block next to other blocks',
    rejected: { messages: [assistant(summary, text('Hi')), hello] },
    accepted: { messages: [assistant(summary), assistant(text('Hi')), hello] },
    message: 'in an assistant message of its own',
    code: 'compaction_block_misplaced',
    betas: [COMPACTION],
  },
  {
    it: 'two signed compaction blocks',
    rejected: { messages: [assistant(summary), assistant(summary), hello] },
    accepted: { messages: [assistant(summary), hello] },
    message: 'only the last compaction block may be sent',
    code: 'compaction_block_ambiguous',
    betas: [COMPACTION],
  },
  {
    it: 'a compaction block with a change of an undeclared tool',
    rejected: {
      tools: [find],
      messages: [assistant({ ...summary, tool_changes: [add(named('mail'))] }), hello],
    },
    accepted: {
      tools: [find, deferred],
      messages: [assistant({ ...summary, tool_changes: [add(named('mail'))] }), hello],
    },
    message: "tool_addition references unknown tool 'mail'",
    code: 'tool_reference_unresolved',
    betas: [COMPACTION],
  },
  {
    it: 'a search without a result in the middle of the messages',
    rejected: { tools: [bm25, deferred], messages: [hello, assistant(searched()[0]), hello] },
    accepted: { tools: [bm25, deferred], messages: [hello, assistant(searched()[0])] },
    message: 'was found without a corresponding `tool_search_tool_result` block',
  },
  {
    it: 'an open call without its thinking, with manual thinking',
    rejected: {
      thinking: { type: 'enabled', budget_tokens: 1024 },
      tools: [find],
      messages: [hello, assistant(use('a')), user(result('a'))],
    },
    accepted: {
      thinking: { type: 'enabled', budget_tokens: 1024 },
      tools: [find],
      messages: [hello, assistant(thought, use('a')), user(result('a'))],
    },
    message: 'a final `assistant` message must start with a thinking block',
  },
  {
    it: 'a request without a model',
    rejected: { model: undefined },
    accepted: {},
    message: 'model: Field required',
  },
  {
    it: 'tools that are not a list',
    rejected: { tools: 'find' },
    accepted: { tools: [] },
    message: 'tools: Input should be a valid list',
  },
  {
    it: 'a request without messages',
    rejected: { messages: [] },
    accepted: { messages: [hello] },
    message: 'messages: at least one message is required',
  },
  {
    it: 'a tool_choice with an unknown tool',
    rejected: { tools: [find], tool_choice: { type: 'tool', name: 'mail' } },
    accepted: { tools: [find], tool_choice: { type: 'tool', name: 'find' } },
    message: "Tool 'mail' not found in provided tools",
  },
  {
    it: 'a tool_choice with a deferred tool that was not revealed',
    rejected: { tools: [find, deferred], tool_choice: { type: 'tool', name: 'mail' } },
    accepted: {
      tools: [find, deferred],
      tool_choice: { type: 'tool', name: 'mail' },
      messages: found([reference('mail')]),
    },
    message: "tool 'mail' has defer_loading=true and has not been loaded",
  },
  {
    it: 'a forced tool on a model that does not support it',
    rejected: { model: 'claude-opus-5-5', tools: [find], tool_choice: { type: 'any' } },
    accepted: { model: 'claude-opus-5-5', tools: [find], tool_choice: { type: 'auto' } },
    message: 'tool_choice: type "tool" and "any" are not supported for this model.',
  },
  {
    it: 'a tool_choice without tools',
    rejected: { tool_choice: { type: 'any' } },
    accepted: { tool_choice: { type: 'any' }, tools: [find] },
    message: 'may only be specified while providing `tools`',
  },
]

const rejections: {
  it: string
  rejects: string
  request: object
  betas?: string[]
  message: string
}[] = [
  {
    it: 'a field',
    rejects: 'defer_loading',
    request: { tools: [find, deferred] },
    message: 'tools.1.defer_loading: Extra inputs are not permitted',
  },
  {
    it: 'a block in a result',
    rejects: 'tool_reference',
    request: { tools: [find, deferred], messages: found([reference('mail')]) },
    message:
      "messages.2.content.0.content.0: Input tag 'tool_reference' found using 'type' does not match any of the expected tags",
  },
  {
    it: 'a tool type',
    rejects: bm25.type,
    request: { tools: [bm25, deferred] },
    message: `tools.0: Input tag '${bm25.type}' found using 'type'`,
  },
  {
    it: 'a beta',
    rejects: CHANGES,
    request: { tools: [find] },
    betas: [CHANGES],
    message: `Unexpected value(s) \`${CHANGES}\` for the \`anthropic-beta\` header`,
  },
]

let server: CheckingServer | undefined
afterEach(() => server?.close())

const start = async (options: AnthropicMessagesOptions = {}, replies: Reply[] = []) => {
  server = inProcessServer({ service: anthropicMessages(options), replies })
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

  // The clients differ in how they report a rejection, not in what the server rejects.
  const shown = <Row>(rows: readonly Row[]) => (Sdk === Anthropic ? rows : rows.slice(0, 3))

  it.each(shown(cases))('rejects $it', async ({ rejected, accepted, message, code, betas }) => {
    await start()
    const error = await send(rejected, betas).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(Sdk.BadRequestError)
    expect((error as ApiError).error.error.message).toMatch(message)
    expect((error as ApiError).error.error.details?.error_code).toBe(code)
    expect(server!.requests[0]?.problem?.status).toBe(400)
    await expect(send(accepted, betas)).resolves.toMatchObject({ stop_reason: 'end_turn' })
  })

  it.each(shown(rejections))('rejects $it that the endpoint does not support', async (row) => {
    await start({ rejects: [row.rejects] })
    const error = await send(row.request, row.betas).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(Sdk.BadRequestError)
    expect((error as ApiError).error.error.message).toContain(row.message)
    const properties = Object.fromEntries([[row.rejects, { type: 'string' }]])
    const inSchema = { tools: [{ ...find, input_schema: { type: 'object', properties } }] }
    await expect(send(inSchema)).resolves.toBeDefined()
  })

  it('requires an API key and a version', async () => {
    await start()
    const withHeaders = (defaultHeaders: Record<string, null>) =>
      new Sdk({ apiKey: 'k', baseURL: server!.url, maxRetries: 0, defaultHeaders })
    const noVersion = withHeaders({ 'anthropic-version': null }).messages.create(base as never)
    await expect(noVersion).rejects.toThrow('anthropic-version: header is required')
    const response = await fetch(`${server!.url}/v1/messages`, { method: 'POST', body: '{"a":1}' })
    expect(response.status).toBe(401)
  })

  it.each<[string, object, Reply, object[]]>([
    ['text', {}, { text: 'Hello there' }, [{ type: 'text', text: 'Hello there' }]],
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
      'a native search',
      { tools: [bm25, deferred] },
      { search: { found: ['mail'] }, calls: [{ id: 'a', name: 'mail', arguments: {} }] },
      [
        { type: 'server_tool_use', name: 'tool_search_tool_bm25', input: { query: 'mail' } },
        { type: 'tool_search_tool_result', content: { tool_references: [reference('mail')] } },
        { type: 'tool_use', id: 'a', input: {} },
      ],
    ],
  ])('returns the same message for %s, streamed or not', async (_name, request, reply, content) => {
    await start({}, [reply, reply])
    const params = { ...base, ...request } as never
    const complete = await connect().messages.create(params)
    const stream = connect().messages.stream(params)
    const deltas: unknown[] = []
    stream.on('streamEvent', (event) => event.type === 'content_block_delta' && deltas.push(event))
    const streamed = await stream.finalMessage()

    expect(complete.content).toMatchObject(content)
    expect(withoutIds(streamed)).toEqual(withoutIds(complete))
    expect(deltas.length).toBeGreaterThan(1)
    expect(complete.stop_reason).toBe(reply.calls ? 'tool_use' : 'end_turn')
  })
})

it('accepts its own replies in the history', async () => {
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

describe('preserved thinking', () => {
  const think = async () => {
    await start({}, [
      { thinking: 'One', text: 'First' },
      { thinking: 'Two', text: 'Second' },
      { thinking: 'Three', text: 'Third' },
    ])
    const client = new Anthropic({ apiKey: 'k', baseURL: server!.url, maxRetries: 0 })
    const send = (request: object) =>
      client.messages.create({ ...base, tools: [find, deferred], ...request } as never)
    const first = assistant(...(await send({})).content)
    const second = assistant(...(await send({ messages: [hello, first, hello] })).content)
    const history = [hello, first, hello, second, user(text('Go on'))]
    return { send, history }
  }

  it('accepts thinking after the prompt that it was produced for', async () => {
    const { send, history } = await think()
    await expect(send({ messages: history })).resolves.toBeDefined()
    const tools = [
      { ...find, cache_control: { type: 'ephemeral' } },
      deferred,
      { ...deferred, name: 'late' },
    ]
    await expect(send({ messages: history, tools })).resolves.toBeDefined()
  })

  it.each<[string, (history: object[]) => object]>([
    ['another system prompt', (messages) => ({ messages, system: 'Be kind.' })],
    ['another tool list', (messages) => ({ messages, tools: [find, mail] })],
    ['another message', (messages) => ({ messages: messages.with(2, user(text('Bye'))) })],
    ['a missing message', (messages) => ({ messages: messages.toSpliced(1, 2) })],
  ])('rejects thinking after %s', async (_, change) => {
    const { send, history } = await think()
    await expect(send(change(history))).rejects.toThrow('bound to a different conversation')
  })

  it('allows the oldest thinking blocks to be left out', async () => {
    const { send, history } = await think()
    const without = (at: number) =>
      history.with(at, assistant(...(history[at] as { content: object[] }).content.slice(1)))
    await expect(send({ messages: without(1) })).resolves.toBeDefined()
  })

  it('rejects thinking if a block between others is left out', async () => {
    const { send, history } = await think()
    const third = assistant(...(await send({ messages: history })).content)
    const gap = history.with(3, assistant(text('Second')))
    await expect(send({ messages: [...gap, third, hello] })).rejects.toThrow(
      'different conversation',
    )
  })
})

it('streams thinking, a paused search and a summary like complete replies', async () => {
  const replies: Reply[] = [
    { thinking: 'Let me see', search: { found: ['mail'] }, pauses: true },
    { compaction: { content: 'We talked.', toolChanges: [add(named('mail'))] } },
  ]
  await start({}, [...replies, ...replies])
  const client = new Anthropic({ apiKey: 'k', baseURL: server!.url, maxRetries: 0 })
  const params = { ...base, tools: [bm25, deferred], betas: [COMPACTION] } as never
  const complete = [
    await client.beta.messages.create(params),
    await client.beta.messages.create(params),
  ]
  const streamed = [
    await client.beta.messages.stream(params).finalMessage(),
    await client.beta.messages.stream(params).finalMessage(),
  ]
  expect(complete.map((message) => message.stop_reason)).toEqual(['pause_turn', 'compaction'])
  expect(streamed.map(withoutIds)).toEqual(complete.map(withoutIds))
})

it('responds with an error if the script contains a search that the request does not allow', async () => {
  await start({}, [{ search: { found: ['mail'] } }])
  const client = new Anthropic({ apiKey: 'k', baseURL: server!.url, maxRetries: 0 })
  await expect(client.messages.create(base as never)).rejects.toThrow('does not declare')
  expect(takeScriptErrors()).toHaveLength(1)
})

describe('promptOf', () => {
  const { promptOf } = anthropicMessages()

  it('contains a definition after the block that reveals it', () => {
    const body = { tools: [find, deferred], system: 'Be kind.' }
    const before = promptOf({ ...body, messages: [hello, assistant(use('a'))] })
    const after = promptOf({
      ...body,
      messages: [...found([reference('mail')]), assistant(text('Found'))],
    })
    expect(after.slice(0, before.length)).toEqual(before)
    expect(after.at(-2)).toBe(JSON.stringify(mail))
    expect(before.join()).not.toContain('Sends mail')
  })

  it('has a different prefix after a tool is added to the list', () => {
    const before = promptOf({ tools: [find], messages: [hello] })
    const after = promptOf({ tools: [find, mail], messages: [hello, assistant(text('x')), hello] })
    expect(after.slice(0, before.length)).not.toEqual(before)
  })

  it('keeps its prefix when a message adds a tool', () => {
    const before = promptOf({ tools: [find, deferred], messages: [hello] })
    for (const tool of [named('mail'), inline(mail)]) {
      const messages = [hello, system(add(tool))]
      const after = promptOf({ tools: [find, deferred], messages })
      expect(after.slice(0, before.length)).toEqual(before)
      expect(after.join()).toContain('Sends mail')
    }
  })

  it('does not depend on cache control', () => {
    const cached = user({ ...text('Hello'), cache_control: { type: 'ephemeral' } })
    expect(promptOf({ messages: [cached] })).toEqual(promptOf({ messages: [hello] }))
  })
})

function withoutIds(message: object): unknown {
  return JSON.parse(
    JSON.stringify({ ...message, parsed_output: undefined }).replace(
      /(msg|srvtoolu|signature)_\d+/g,
      '$1',
    ),
  )
}
