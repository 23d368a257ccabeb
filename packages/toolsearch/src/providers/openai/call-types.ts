import { isObject } from '../../is-object.ts'
import { parseArguments } from '../../tool-search/parse-arguments.ts'
import type { Block } from '../../transcript/block.ts'
import type { ProviderCall, ToolResult } from '../provider.ts'

/** A call of the Responses API that the client answers, other than a search. */
interface CallType {
  /** The type of its output. */
  readonly output: string
  /** The field of the call that identifies it. @default 'call_id' */
  readonly id?: string
  /** The field of the output that identifies the call. @default 'call_id' */
  readonly answers?: string
  /** The name of its tool. */
  name(item: Block): unknown
  arguments(item: Block): unknown
  /** The fields of an output besides its type and the id of its call. */
  result(result: CallOutput): Block
}

interface CallOutput {
  readonly text: string
  readonly isError: boolean
  /** The text, or a list with other items. */
  readonly content: string | readonly Block[]
}

const asText = ({ text }: CallOutput): Block => ({ output: text })
const asContent = ({ content }: CallOutput): Block => ({ output: content })

/**
 * The first is the call of a function. All others belong to tools that no catalogue has: custom tools
 * and OpenAI's own.
 */
const CALL_TYPES: Readonly<Record<string, CallType>> = {
  function_call: {
    output: 'function_call_output',
    name: ({ name }) => name,
    arguments: ({ arguments: json }) => parseArguments(json),
    result: asContent,
  },
  custom_tool_call: {
    output: 'custom_tool_call_output',
    name: ({ name }) => name,
    arguments: ({ input }) => ({ input }),
    result: asContent,
  },
  shell_call: {
    output: 'shell_call_output',
    name: () => 'shell',
    arguments: ({ action }) => action,
    result: ({ text, isError }) => ({
      output: [
        {
          stdout: isError ? '' : text,
          stderr: isError ? text : '',
          outcome: { type: 'exit', exit_code: isError ? 1 : 0 },
        },
      ],
    }),
  },
  apply_patch_call: {
    output: 'apply_patch_call_output',
    name: () => 'apply_patch',
    arguments: ({ operation }) => operation,
    result: ({ text, isError }) => ({ status: isError ? 'failed' : 'completed', output: text }),
  },
  local_shell_call: {
    output: 'local_shell_call_output',
    answers: 'id',
    name: () => 'local_shell',
    arguments: ({ action }) => action,
    result: asText,
  },
  computer_call: {
    output: 'computer_call_output',
    name: () => 'computer',
    arguments: ({ action, actions }) => (actions === undefined ? { action } : { actions }),
    result: (result) => ({ output: screenshot(result) }),
  },
  mcp_approval_request: {
    output: 'mcp_approval_response',
    id: 'id',
    answers: 'approval_request_id',
    name: ({ name }) => name,
    arguments: ({ arguments: json }) => parseArguments(json),
    result({ text, isError }) {
      const answer = isError ? undefined : parseArguments(text)
      const { approve = answer === true, reason = text } = isObject(answer) ? answer : {}
      return approve === true ? { approve } : { approve: false, reason }
    },
  },
}

const ANSWERED_TYPES: ReadonlyMap<unknown, string> = new Map(
  Object.entries(CALL_TYPES).map(([call, { output }]) => [output, call]),
)

const isImage = ({ type }: Block) => type === 'input_image'

export function isClientCall({ type }: Block): boolean {
  return Object.hasOwn(CALL_TYPES, String(type))
}

export function isClientOutput({ type }: Block): boolean {
  return ANSWERED_TYPES.has(type)
}

/** A key that a call and its output share; undefined for any other item. */
export function clientKey(item: Block): string | undefined {
  const isCall = isClientCall(item)
  const type = isCall ? String(item.type) : ANSWERED_TYPES.get(item.type)
  if (type === undefined) return undefined
  const { id = 'call_id', answers = 'call_id' } = CALL_TYPES[type]!
  return `${type} ${item[isCall ? id : answers]}`
}

/** The id of the call that an output answers; undefined for any other item. */
export function answeredId(item: Block): string | undefined {
  const type = ANSWERED_TYPES.get(item.type)
  return type === undefined ? undefined : String(item[CALL_TYPES[type]!.answers ?? 'call_id'])
}

export function clientCall(item: Block): ProviderCall {
  const { id = 'call_id', ...type } = CALL_TYPES[String(item.type)]!
  return {
    id: String(item[id]),
    name: String(type.name(item)),
    arguments: type.arguments(item),
    native: item,
    ...(item.type !== 'function_call' && { isForeign: true }),
  }
}

/** The output of a call. It names the program that made the call, if one did. */
export function outputOf(
  call: Block,
  { text, isError }: Pick<ToolResult, 'text' | 'isError'>,
  content: CallOutput['content'] = text,
): Block {
  const { output, id = 'call_id', answers = 'call_id', result } = CALL_TYPES[String(call.type)]!
  return {
    type: output,
    [answers]: call[id],
    ...result({ text, isError, content }),
    ...(isObject(call.caller) && call.caller.type === 'program' && { caller: call.caller }),
  }
}

/** Whether an output could not contain its text. */
export function lacksText({ output }: Block): boolean {
  return isObject(output) && output.image_url === NO_SCREENSHOT
}

/** One transparent pixel, because the service accepts nothing but a screenshot. */
const NO_SCREENSHOT =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

function screenshot({ text, isError, content }: CallOutput): Block {
  if (isError) return { type: 'computer_screenshot', image_url: NO_SCREENSHOT }
  const image = typeof content === 'string' ? undefined : content.find(isImage)
  if (image) return { type: 'computer_screenshot', image_url: image.image_url }
  const isAddress = /^(?:data:image\/|https?:\/\/)/.test(text)
  if (text.startsWith('{')) {
    const parsed = parseArguments(text)
    if (isObject(parsed) && parsed.type === 'computer_screenshot') return parsed
  }
  return { type: 'computer_screenshot', image_url: isAddress ? text : NO_SCREENSHOT }
}
