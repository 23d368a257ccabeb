import { RefusedRequest } from './refused-request.ts'

const QUERY_CHARS = 2_000
const MOST = 25

/** @throws RefusedRequest */
export function readQuery({ searchParams }: URL): string {
  const query = searchParams.get('query')
  if (query === null) throw new RefusedRequest(400, 'Say what to search for: ?query=WORDS.')
  return checkQuery(query)
}

/** @throws RefusedRequest */
export function checkQuery(query: string): string {
  if (query.length > QUERY_CHARS) {
    throw new RefusedRequest(
      400,
      `The query has ${query.length} characters; keep it under ${QUERY_CHARS}.`,
    )
  }
  return query
}

/** @throws RefusedRequest */
export function readLimit({ searchParams }: URL): number | undefined {
  const given = searchParams.get('limit')
  if (given === null) return undefined
  const limit = Number(given)
  if (/^\d+$/.test(given) && limit >= 1 && limit <= MOST) return limit
  throw new RefusedRequest(400, `limit is "${given}"; give a whole number from 1 to ${MOST}.`)
}
