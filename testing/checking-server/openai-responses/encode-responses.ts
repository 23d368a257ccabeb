import { estimateTokens, newId, type Reply, type ReplyCall } from '../reply.ts'
import { hostedSearchItems } from './hosted-search-items.ts'
import { placedFunctions } from './placed-functions.ts'
import type { ResponsesBody } from './responses-body.ts'
import { responsesPrompt } from './responses-prompt.ts'

/** The fields of an output item that are read here. */
export interface OutputItem {
  type: string
  id: string
  status: string
  [field: string]: unknown
}

/** The fields of a `Response` that are read here. */
export interface EncodedResponse {
  id: string
  output: readonly OutputItem[]
  status: string
  [field: string]: unknown
}

/** Encodes a reply as a `Response`. */
export function encodeResponses(reply: Reply, body: ResponsesBody): EncodedResponse {
  const { text, calls = [], search, clientSearch, native = [] } = reply
  const output = [
    ...(search ? hostedSearchItems(search.found, body) : []),
    ...(clientSearch ? [clientSearchItem(clientSearch)] : []),
    ...(text === undefined ? [] : [messageItem(text)]),
    ...native.map((item) => ({ id: newId('item'), status: 'completed', ...item }) as OutputItem),
    ...calls.map((call) => callItem(call, body)),
  ]
  return {
    id: newId('resp'),
    object: 'response',
    created_at: 0,
    status: 'completed',
    model: body.model,
    output,
    access_programs: null,
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    metadata: {},
    parallel_tool_calls: true,
    previous_response_id: body.previous_response_id ?? null,
    temperature: 1,
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_p: 1,
    usage: usage(output, body),
  }
}

function messageItem(text: string): OutputItem {
  return {
    type: 'message',
    id: newId('msg'),
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
  }
}

/** The script names a function `name`, or `namespace.name` if several namespaces have it. */
function callItem(call: ReplyCall, body: ResponsesBody): OutputItem {
  const [name, group] = call.name.split('.').reverse() as [string, string?]
  const place = placedFunctions(body).find(
    (known) => known.tool.name === name && (group === undefined || known.namespace === group),
  )
  const namespace = group ?? place?.namespace
  return {
    type: 'function_call',
    id: newId('fc'),
    status: 'completed',
    call_id: call.id ?? newId('call'),
    name,
    ...(namespace === undefined ? {} : { namespace }),
    arguments: JSON.stringify(call.arguments),
  }
}

function clientSearchItem(search: NonNullable<Reply['clientSearch']>): OutputItem {
  return {
    type: 'tool_search_call',
    id: newId('tsc'),
    status: 'completed',
    call_id: search.callId ?? newId('call'),
    execution: 'client',
    arguments: search.arguments,
  }
}

function usage(output: readonly OutputItem[], body: ResponsesBody) {
  const input_tokens = estimateTokens(responsesPrompt(body))
  const output_tokens = estimateTokens([JSON.stringify(output)])
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input_tokens + output_tokens,
  }
}
