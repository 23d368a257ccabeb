import { isObject } from '../is-object.ts'
import type { OutputPart, ToolOutput } from './output-part.ts'
import { dataText, errorText } from './output-text.ts'
import { readBlock, readBlocks } from './read-block.ts'

/**
 * Reads what a tool returned: a string, an `Error`, the result of an MCP server, blocks of a provider
 * or of the AI SDK, or any other data, which becomes JSON. Data is only taken for blocks if it has
 * exactly their fields. Never throws.
 */
export function readOutput(output: unknown): ToolOutput {
  try {
    if (typeof output === 'string') return textOutput(output)
    if (output instanceof Error) return textOutput(errorText(output), true)
    return (
      readMcpResult(output) ??
      readSdkOutput(output) ??
      readGeminiResponse(output) ??
      readPlainBlocks(output) ??
      dataOutput(output)
    )
  } catch (error) {
    // a getter or a proxy can throw
    return textOutput(`The tool ran, but its result cannot be read: ${errorText(error)}`, true)
  }
}

function textOutput(text: string, isError = false): ToolOutput {
  return { parts: [{ type: 'text', text }], isError }
}

function dataOutput(data: unknown, isError = false): ToolOutput {
  const written = dataText(data)
  return textOutput(written.text, isError || written.isError)
}

function readPlainBlocks(output: unknown): ToolOutput | undefined {
  const part = readBlock(output)
  const parts = part ? [part] : readBlocks(output)
  return parts && { parts, isError: false }
}

const MCP_RESULT = ['content', 'structuredContent', 'isError', '_meta', 'resultType']

function readMcpResult(output: unknown): ToolOutput | undefined {
  if (!isObject(output) || !hasOnly(output, MCP_RESULT)) return undefined
  const { content, structuredContent, isError = false } = output
  const isMarked = 'structuredContent' in output || 'isError' in output || '_meta' in output
  if (typeof isError !== 'boolean') return undefined
  if (content === undefined || (Array.isArray(content) && content.length === 0)) {
    if (structuredContent !== undefined) return dataOutput(structuredContent, isError)
    return content === undefined ? undefined : textOutput('', isError)
  }
  if (!Array.isArray(content)) return undefined
  // Only an MCP server marks its results, and it may send blocks that are newer than this library.
  const parts = isMarked ? content.map(readAnyBlock) : readBlocks(content)
  if (parts === undefined) return undefined
  const hasText = parts.some(({ type }) => type === 'text' || type === 'resource')
  // Servers repeat structured content as text. If this one does not, the model needs it.
  if (hasText || structuredContent === undefined) return { parts, isError }
  return { parts: [...dataOutput(structuredContent).parts, ...parts], isError }
}

export interface McpResult {
  readonly content: readonly object[]
  readonly structuredContent?: unknown
}

/** Whether a value is the result of an MCP server, without blocks of a provider. */
export function isMcpResult(output: unknown): output is McpResult {
  if (!isObject(output) || !Array.isArray(output.content)) return false
  return readMcpResult(output)?.parts.every((part) => !('native' in part)) === true
}

/** The output of a tool in the form that the AI SDK gives to a model. */
function readSdkOutput(output: unknown): ToolOutput | undefined {
  if (!isObject(output) || !hasOnly(output, ['type', 'value', 'reason', 'providerOptions'])) {
    return undefined
  }
  const { type, value, reason } = output
  switch (type) {
    case 'text':
    case 'error-text':
      return typeof value === 'string' ? textOutput(value, type === 'error-text') : undefined
    case 'json':
    case 'error-json':
      return 'value' in output ? dataOutput(value, type === 'error-json') : undefined
    case 'content':
      return Array.isArray(value) ? { parts: value.map(readAnyBlock), isError: false } : undefined
    case 'execution-denied':
      return textOutput(typeof reason === 'string' ? reason : 'The user denied this call.', true)
    default:
      return undefined
  }
}

/** A whole response of Gemini, with text or data and maybe media. */
function readGeminiResponse(output: unknown): ToolOutput | undefined {
  if (!isObject(output) || !hasOnly(output, ['functionResponse'])) return undefined
  const { functionResponse } = output
  if (!isObject(functionResponse) || !isObject(functionResponse.response)) return undefined
  const { response, parts: media } = functionResponse
  const isError = response.error !== undefined
  const { parts } = readOutput(response.error ?? response.output ?? response)
  return { parts: [...parts, ...(Array.isArray(media) ? media.map(readAnyBlock) : [])], isError }
}

function readAnyBlock(block: unknown): OutputPart {
  return readBlock(block) ?? { type: 'text', text: dataText(block).text }
}

function hasOnly(value: object, keys: readonly string[]): boolean {
  return Object.keys(value).every((key) => keys.includes(key))
}
