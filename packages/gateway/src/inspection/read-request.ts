import { ToolSearchError } from 'toolsearch'
import type { Effect } from '../access/effect.ts'
import { isObject } from '../protocol/json-object.ts'
import type { SavedQuery } from './api.ts'

const MAX_QUERY_CHARS = 2_000
const MAX_LIMIT = 25
const MAX_BODY_CHARS = 64_000
const MAX_RELEVANT = 50
const EXAMPLE = '{"query": "…", "relevant": ["server__tool"]}'

/** A request the API cannot answer. The message tells the person what to change. */
export class RequestError extends ToolSearchError {
  override readonly name = 'RequestError'
  readonly code = 'bad_request'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** A call that may change something must be confirmed by a person. */
export class ConfirmationError extends RequestError {
  readonly effect: Effect

  constructor(tool: string, effect: Effect) {
    const risk = effect === 'write' ? 'can change data' : 'can change or delete data'
    super(409, `${tool} ${risk}. Confirm the call with "confirm": true.`)
    this.effect = effect
  }
}

/** @throws RequestError */
export function readQuery({ searchParams }: URL): string {
  const query = searchParams.get('query')
  if (query === null) throw new RequestError(400, 'The query is missing: add ?query=WORDS.')
  return checkQuery(query)
}

/** @throws RequestError */
export function readLimit({ searchParams }: URL): number | undefined {
  const value = searchParams.get('limit')
  if (value === null) return undefined
  const limit = Number(value)
  if (/^\d+$/.test(value) && limit >= 1 && limit <= MAX_LIMIT) return limit
  throw new RequestError(
    400,
    `Invalid limit "${value}": use a whole number from 1 to ${MAX_LIMIT}.`,
  )
}

/** @throws RequestError */
export function readToolName({ searchParams }: URL): string {
  const tool = searchParams.get('tool') ?? ''
  if (tool === '') throw new RequestError(400, 'The tool is missing: add &tool=NAME.')
  return tool
}

/** Reads the query to save from a request's body. @throws RequestError */
export async function readSavedQuery(request: Request): Promise<SavedQuery> {
  const text = await request.text()
  if (text.length > MAX_BODY_CHARS) {
    const message = `The body has ${text.length} characters. The maximum is ${MAX_BODY_CHARS}.`
    throw new RequestError(413, message)
  }
  const data = parse(text)
  if (!isObject(data)) throw new RequestError(400, `The body must be JSON such as ${EXAMPLE}.`)
  const { query, relevant } = data
  if (typeof query !== 'string' || query.trim() === '') {
    throw new RequestError(400, `"query" must be a non-empty string: ${EXAMPLE}.`)
  }
  if (!isNames(relevant)) {
    throw new RequestError(
      400,
      `"relevant" must be a list of at most ${MAX_RELEVANT} tool names; leave it empty if no ` +
        `tool should match: ${EXAMPLE}.`,
    )
  }
  return { query: checkQuery(query), relevant }
}

function checkQuery(query: string): string {
  if (query.length <= MAX_QUERY_CHARS) return query
  const message = `The query has ${query.length} characters. The maximum is ${MAX_QUERY_CHARS}.`
  throw new RequestError(400, message)
}

function isNames(value: unknown): value is string[] {
  return (
    Array.isArray(value) &&
    value.length <= MAX_RELEVANT &&
    value.every((name) => typeof name === 'string' && name !== '')
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
