import type { McpTool } from '../upstreams/upstream.ts'
import { isObject } from './is-object.ts'

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const SENDABLE = new Set<unknown>(['string', 'integer', 'boolean'])
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

/**
 * Why a tool asks for headers that cannot be sent, or nothing. Clients must leave such a tool out
 * over HTTP (2026-07-28).
 */
export function checkParamHeaders({ inputSchema }: McpTool): string | undefined {
  const taken = new Set<string>()
  return check(inputSchema, taken)
}

function check(schema: unknown, taken: Set<string>): string | undefined {
  if (!isObject(schema)) return undefined
  const header = schema['x-mcp-header']
  if (header !== undefined) {
    if (typeof header !== 'string' || !TOKEN.test(header)) {
      return `Its x-mcp-header ${JSON.stringify(header)} is no name of a header.`
    }
    if (!SENDABLE.has(schema.type)) {
      return `Its x-mcp-header "${header}" stands at a value that is no text, integer or boolean.`
    }
    const name = header.toLowerCase()
    if (taken.has(name)) return `Its x-mcp-header "${header}" stands at two values.`
    taken.add(name)
  }
  if (!isObject(schema.properties)) return undefined
  for (const child of Object.values(schema.properties)) {
    const reason = check(child, taken)
    if (reason) return reason
  }
  return undefined
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
