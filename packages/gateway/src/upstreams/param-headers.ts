import type { JsonObject, McpTool } from './upstream.ts'

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const PLAIN = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/

/**
 * The HTTP headers in which a call repeats some of its arguments, as the tool's schema asks for by
 * `x-mcp-header` (2026-07-28). Proxies on the way read them.
 */
export function paramHeaders(
  tool: McpTool | undefined,
  args: unknown,
): Record<string, string> | undefined {
  const headers: Record<string, string> = {}
  collect(tool?.inputSchema, args, headers)
  return Object.keys(headers).length > 0 ? headers : undefined
}

function collect(schema: unknown, value: unknown, headers: Record<string, string>): void {
  if (!isObject(schema)) return
  const header = schema['x-mcp-header']
  if (typeof header === 'string' && TOKEN.test(header)) {
    const text = asText(value)
    if (text !== undefined) headers[`Mcp-Param-${header}`] = encode(text)
  }
  if (!isObject(schema.properties) || !isObject(value)) return
  for (const [name, child] of Object.entries(schema.properties)) {
    if (Object.hasOwn(value, name)) collect(child, value[name], headers)
  }
}

function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value)
  return undefined
}

function encode(text: string): string {
  if (PLAIN.test(text) && !/^=\?base64\?.*\?=$/.test(text)) return text
  return `=?base64?${Buffer.from(text).toString('base64')}?=`
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
