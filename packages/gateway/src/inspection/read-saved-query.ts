import { isObject } from '../protocol/json-object.ts'
import type { SavedQuery } from './api.ts'
import { checkQuery } from './read-parameters.ts'
import { RefusedRequest } from './refused-request.ts'

const MAX_CHARS = 64_000
const MAX_RELEVANT = 50
const FORM = '{"query": "…", "relevant": ["server__tool"]}'

/** Reads the query that a request wants to be saved. @throws RefusedRequest */
export async function readSavedQuery(request: Request): Promise<SavedQuery> {
  const text = await request.text()
  if (text.length > MAX_CHARS) {
    throw new RefusedRequest(
      413,
      `The body has ${text.length} characters; ${MAX_CHARS} are enough.`,
    )
  }
  const data = parse(text)
  if (!isObject(data)) throw new RefusedRequest(400, `The body must be JSON such as ${FORM}.`)
  const { query, relevant } = data
  if (typeof query !== 'string' || query.trim() === '') {
    throw new RefusedRequest(400, `"query" must be a text: ${FORM}.`)
  }
  if (!isNames(relevant)) {
    throw new RefusedRequest(
      400,
      `"relevant" must be a list of at most ${MAX_RELEVANT} names of tools, or an empty one if ` +
        `nothing serves the query: ${FORM}.`,
    )
  }
  return { query: checkQuery(query), relevant }
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
