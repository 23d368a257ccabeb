import { isObject, type JsonObject } from '../protocol/json-object.ts'
import type { ConfigEdit, ToolCallRequest } from './api.ts'
import { HISTORY_KINDS, type HistoryFilter, type HistoryKind } from './history/history-page.ts'
import type { Period } from './history/history-store.ts'
import { periodOf, readTime, TIME_FORMAT } from './history/read-period.ts'
import { RequestError } from './read-request.ts'

const MAX_BODY_CHARS = 1_000_000
const MAX_NAME_CHARS = 500
const MAX_HINT_CHARS = 2_000
const DEFAULT_PAGE = 100
const MAX_PAGE = 500

/** Reads the JSON object in a request's body. @throws RequestError */
async function readBody(request: Request): Promise<JsonObject> {
  const text = await request.text()
  if (text.length > MAX_BODY_CHARS) {
    const message = `The body has ${text.length} characters. The maximum is ${MAX_BODY_CHARS}.`
    throw new RequestError(413, message)
  }
  try {
    const data: unknown = text === '' ? {} : JSON.parse(text)
    if (isObject(data)) return data
  } catch {
    // Same message as for JSON that is not an object.
  }
  throw new RequestError(400, 'The body must be a JSON object.')
}

/** @throws RequestError */
export async function readToolCall(request: Request): Promise<ToolCallRequest> {
  const { arguments: given = {}, confirm } = await readBody(request)
  if (!isObject(given)) throw new RequestError(400, '"arguments" must be an object.')
  return { arguments: given, ...(confirm === true && { confirm }) }
}

const SERVER_ACTIONS = ['enable', 'disable'] as const
const TOOL_ACTIONS = ['allow', 'deny', 'undeny', 'pin', 'unpin'] as const
const ACTIONS = [...TOOL_ACTIONS, 'hint', 'override', ...SERVER_ACTIONS]

/** @throws RequestError */
export async function readConfigEdit(request: Request): Promise<ConfigEdit> {
  const body = await readBody(request)
  const { action, value } = body
  const server = nameIn(body, 'server')
  const isServerAction = SERVER_ACTIONS.find((each) => each === action)
  if (isServerAction) return { action: isServerAction, server }
  const isToolAction = TOOL_ACTIONS.find((each) => each === action)
  if (!isToolAction && action !== 'hint' && action !== 'override') {
    throw new RequestError(400, `"action" must be one of ${ACTIONS.join(', ')}.`)
  }
  const tool = nameIn(body, 'tool')
  if (isToolAction) return { action: isToolAction, server, tool }
  if (action === 'hint') {
    const isHint =
      value === null ||
      (typeof value === 'string' && value.trim() !== '' && value.length <= MAX_HINT_CHARS)
    if (isHint) return { action, server, tool, value: value as string | null }
    throw new RequestError(
      400,
      `"value" must be a text of up to ${MAX_HINT_CHARS} characters, or null.`,
    )
  }
  if (value === null || isObject(value)) return { action: 'override', server, tool, value }
  throw new RequestError(400, '"value" must be an object or null.')
}

/** @throws RequestError */
export async function readChangeId(request: Request): Promise<string> {
  return nameIn(await readBody(request), 'id')
}

/** The period in a URL. @throws RequestError */
export function readPeriod(
  { searchParams }: URL,
  { now, defaultSince }: { now: number; defaultSince: number },
): Period {
  const read = (name: string, fallback: number) => {
    const text = searchParams.get(name)
    if (text === null || text === '') return fallback
    const time = readTime(text, now)
    if (time !== undefined) return time
    throw new RequestError(400, `Invalid ${name} "${text}": use ${TIME_FORMAT}.`)
  }
  // What happens in this millisecond counts.
  const period = periodOf(read('since', defaultSince), read('until', now + 1))
  if (period) return period
  throw new RequestError(400, '"since" must be before "until".')
}

/** @throws RequestError */
export function readHistoryFilter({ searchParams }: URL): HistoryFilter {
  const text = (name: string) => searchParams.get(name) || undefined
  const kind = text('kind')
  if (kind !== undefined && !HISTORY_KINDS.includes(kind as HistoryKind)) {
    throw new RequestError(400, `Invalid kind "${kind}": use ${HISTORY_KINDS.join(', ')}.`)
  }
  const limit = Number(text('limit') ?? DEFAULT_PAGE)
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE) {
    throw new RequestError(400, `Invalid limit: use a whole number from 1 to ${MAX_PAGE}.`)
  }
  return {
    kind: kind as HistoryKind | undefined,
    server: text('server'),
    client: text('client'),
    text: text('text'),
    limit,
    before: text('before'),
  }
}

function nameIn(body: JsonObject, key: string): string {
  const value = body[key]
  if (typeof value === 'string' && value !== '' && value.length <= MAX_NAME_CHARS) return value
  throw new RequestError(400, `"${key}" must be a text of 1 to ${MAX_NAME_CHARS} characters.`)
}
