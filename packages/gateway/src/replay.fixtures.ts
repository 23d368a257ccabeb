import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { isObject, type JsonObject } from './protocol/json-object.ts'
import { type Era, LEGACY_VERSION, MODERN_VERSION } from './protocol/versions.ts'

const META = 'io.modelcontextprotocol'
const CLIENT = { name: 'test', version: '1' }

/** Sends requests without a client library, which would parse and change the answers. */
export interface RawClient {
  /** Resolves to the result, or to `{ error }`. */
  request(method: string, params: JsonObject): Promise<JsonObject>
  close(): void
}

function envelopeOf(era: Era): JsonObject {
  if (era === 'legacy') return {}
  return {
    _meta: {
      [`${META}/protocolVersion`]: MODERN_VERSION,
      [`${META}/clientInfo`]: CLIENT,
      [`${META}/clientCapabilities`]: {},
    },
  }
}

const HELLO = { protocolVersion: LEGACY_VERSION, capabilities: {}, clientInfo: CLIENT }

/** A client of a server that runs in a Node.js process. */
export async function stdioClient(
  args: readonly string[],
  { era, env = {} }: { era: Era; env?: Record<string, string> },
): Promise<RawClient> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const waiting = new Map<unknown, (answer: JsonObject) => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result, error } = JSON.parse(line)
    waiting.get(id)?.(result ?? { error })
  })
  let count = 0
  const send = (message: JsonObject) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const request = (method: string, params: JsonObject) =>
    new Promise<JsonObject>((resolve) => {
      const id = ++count
      waiting.set(id, resolve)
      send({ id, method, params: { ...params, ...envelopeOf(era) } })
    })
  if (era === 'legacy') {
    await request('initialize', HELLO)
    send({ method: 'notifications/initialized' })
  }
  return { request, close: () => child.kill() }
}

/** A client of a gateway over HTTP. */
export async function httpClient(url: string, era: Era): Promise<RawClient> {
  let session: string | undefined
  const post = async (message: JsonObject) => {
    const { name } = (message.params ?? {}) as JsonObject
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': era === 'modern' ? MODERN_VERSION : LEGACY_VERSION,
        ...(session && { 'mcp-session-id': session }),
        ...(era === 'modern' && { 'mcp-method': String(message.method) }),
        ...(era === 'modern' && typeof name === 'string' && { 'mcp-name': name }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
    session ??= response.headers.get('mcp-session-id') ?? undefined
    const text = await response.text()
    const lines = text.split('\n').filter((each) => each.startsWith('data: {'))
    const answers = (lines.length > 0 ? lines.map((line) => line.slice(6)) : [text || '{}']).map(
      (json) => JSON.parse(json),
    )
    const { result, error } = answers.find(({ id }) => id !== undefined) ?? {}
    return result ?? { error }
  }
  if (era === 'legacy') {
    await post({ id: 0, method: 'initialize', params: HELLO })
    await post({ method: 'notifications/initialized' })
  }
  let count = 0
  return {
    request: (method, params) =>
      post({ id: ++count, method, params: { ...params, ...envelopeOf(era) } }),
    close: () => {},
  }
}

/** Arguments for a call of a tool, and whether they match its schema. */
interface GeneratedCall {
  readonly about: string
  readonly arguments: JsonObject
  readonly isValid: boolean
}

/** Calls of a tool, made from its schema. `values` has values for properties of these names. */
export function callsOf(schema: JsonObject, values: JsonObject): readonly GeneratedCall[] {
  const properties = isObject(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  const names = Object.keys(properties)
  const hasDefault = (name: string) => isObject(properties[name]) && 'default' in properties[name]
  const pick = (isChosen: (name: string) => boolean) =>
    Object.fromEntries(names.filter(isChosen).map((name) => [name, valueFor(name)]))
  const valueFor = (name: string) => values[name] ?? sample(properties[name], values)
  const minimal = pick((name) => required.includes(name) && !hasDefault(name))
  const all = pick(() => true)
  const missing = required.find((name) => !hasDefault(name))
  const { [String(missing)]: _, ...incomplete } = all
  return [
    { about: 'minimal', arguments: minimal, isValid: true },
    { about: 'all properties', arguments: all, isValid: true },
    {
      about: 'without defaults',
      arguments: pick((name) => !hasDefault(name)),
      isValid: true,
    },
    { about: 'unknown property', arguments: { ...minimal, 'x-unknown': 1 }, isValid: true },
    ...(missing === undefined
      ? []
      : [
          { about: 'missing property', arguments: incomplete, isValid: false },
          { about: 'wrong type', arguments: { ...all, [missing]: { no: [1] } }, isValid: false },
        ]),
  ]
}

function sample(schema: unknown, values: JsonObject): unknown {
  if (!isObject(schema)) return 'text'
  const { const: only, enum: choices, default: usual, type, items, properties } = schema
  if (only !== undefined) return only
  if (Array.isArray(choices)) return choices.at(-1)
  if (usual !== undefined) return usual
  if (type === 'number' || type === 'integer') return 1
  if (type === 'boolean') return true
  if (type === 'array') return Array.isArray(items) ? [] : [sample(items, values)]
  if (type !== 'object') return 'text'
  return Object.fromEntries(
    Object.entries(isObject(properties) ? properties : {}).map(([name, property]) => [
      name,
      values[name] ?? sample(property, values),
    ]),
  )
}
