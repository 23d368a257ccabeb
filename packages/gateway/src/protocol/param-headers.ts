import { isObject } from './json-object.ts'
import type { McpTool } from './mcp-tool.ts'

const ANNOTATION = 'x-mcp-header'
const PREFIX = 'Mcp-Param-'
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const SENDABLE = new Set<unknown>(['string', 'integer', 'boolean'])
const PLAIN = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/

/** An argument that a call must repeat in an HTTP header. */
export interface HeaderParam {
  /** The full name of the header, such as `Mcp-Param-Region`. */
  readonly name: string
  readonly value: unknown
}

/**
 * The arguments that a schema marks with `x-mcp-header` (2026-07-28), in the order of the schema.
 * Proxies read these headers to route or filter calls without parsing the body.
 */
export function headerParams(schema: unknown, args: unknown): HeaderParam[] {
  const params: HeaderParam[] = []
  collect(schema, args, params)
  return params
}

function collect(schema: unknown, value: unknown, params: HeaderParam[]): void {
  if (!isObject(schema)) return
  const header = schema[ANNOTATION]
  if (isHeaderName(header)) params.push({ name: `${PREFIX}${header}`, value })
  if (!isObject(schema.properties) || !isObject(value)) return
  for (const [key, child] of Object.entries(schema.properties)) {
    if (Object.hasOwn(value, key)) collect(child, value[key], params)
  }
}

/** The headers to send with a call, or undefined if the tool's schema requires none. */
export function paramHeaders(
  tool: McpTool | undefined,
  args: unknown,
): Record<string, string> | undefined {
  const headers: Record<string, string> = {}
  for (const { name, value } of headerParams(tool?.inputSchema, args)) {
    const text = asText(value)
    if (text !== undefined) headers[name] = encode(text)
  }
  return Object.keys(headers).length > 0 ? headers : undefined
}

/**
 * Returns what is wrong with a tool's `x-mcp-header` annotations, if anything. Over HTTP, clients
 * must leave out a tool with an invalid one (2026-07-28).
 */
export function checkParamHeaders({ inputSchema }: McpTool): string | undefined {
  return check(inputSchema, new Set())
}

function check(schema: unknown, seen: Set<string>): string | undefined {
  if (!isObject(schema)) return undefined
  const header = schema[ANNOTATION]
  if (header !== undefined) {
    if (!isHeaderName(header)) {
      return `Its x-mcp-header ${JSON.stringify(header)} is not a valid header name.`
    }
    if (!SENDABLE.has(schema.type)) {
      return `Its x-mcp-header "${header}" is on a parameter that is not a string, integer or boolean.`
    }
    const name = header.toLowerCase()
    if (seen.has(name)) return `Its x-mcp-header "${header}" is used by two parameters.`
    seen.add(name)
  }
  if (!isObject(schema.properties)) return undefined
  for (const child of Object.values(schema.properties)) {
    const reason = check(child, seen)
    if (reason) return reason
  }
  return undefined
}

function isHeaderName(value: unknown): value is string {
  return typeof value === 'string' && TOKEN.test(value)
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
