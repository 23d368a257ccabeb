import type { ToolReport } from './api.ts'
import type { CatalogueSnapshot } from './catalogue-snapshot.ts'
import { explainTool } from './explain-tool.ts'
import type { Inspected } from './inspected.ts'
import { jsonResponse } from './json-response.ts'
import type { LiveEvents } from './live-events.ts'
import { missesOf } from './misses-of.ts'
import { overview } from './overview.ts'
import { readLimit, readQuery } from './read-parameters.ts'
import { readSavedQuery } from './read-saved-query.ts'
import { RefusedRequest } from './refused-request.ts'
import { savedReport } from './saved-report.ts'
import type { SearchLab } from './search-lab.ts'
import { searchReport } from './search-report.ts'
import { toolReport } from './tool-report.ts'

/** What answers are made from. */
export interface ApiContext {
  readonly inspected: Inspected
  readonly live: LiveEvents
  readonly lab: SearchLab
  readonly survey: () => CatalogueSnapshot
}

interface Asked extends ApiContext {
  readonly request: Request
  readonly url: URL
  /** What stands in the path for NAME. */
  readonly name: string
}

/** Gives what is to be told, or a whole response. */
type Route = (asked: Asked) => Promise<object>

/** By path, then by method. */
const ROUTES: Readonly<Record<string, Readonly<Record<string, Route>>>> = {
  '/api/overview': {
    GET: async ({ inspected, survey, lab, url }) => {
      await hearOfAccepted(inspected)
      return overview(inspected, survey(), await lab.rankers(), url.origin)
    },
  },
  '/api/tools': {
    GET: async ({ inspected, survey }) => {
      await hearOfAccepted(inspected)
      return survey().list
    },
  },
  '/api/tools/NAME': {
    GET: async (asked) => {
      await hearOfAccepted(asked.inspected)
      return reportOf(asked)
    },
  },
  '/api/tools/NAME/accept': {
    POST: async (asked) => {
      const { inspected, live, name, url } = asked
      const mark = url.searchParams.get('mark')
      if (mark !== null && mark !== reportOf(asked).mark) {
        throw new RefusedRequest(409, `${name} has changed once more since then: read it again.`)
      }
      if (!inspected.gateway.acceptTool(name)) throw noTool(name)
      live.look()
      return reportOf(asked)
    },
  },
  '/api/search': {
    GET: async ({ inspected, lab, url }) => {
      const query = readQuery(url)
      const limit = readLimit(url)
      return searchReport(inspected.gateway, { query, limit, ...(await chosen(lab, url)) })
    },
  },
  '/api/explain': {
    GET: async ({ inspected, lab, url }) => {
      const query = readQuery(url)
      const limit = readLimit(url)
      const tool = url.searchParams.get('tool') ?? ''
      if (tool === '') throw new RefusedRequest(400, 'Say of which tool: &tool=NAME.')
      const { toolSearch } = await chosen(lab, url)
      return explainTool(inspected, { query, tool, limit, toolSearch })
    },
  },
  '/api/saved': {
    GET: async ({ inspected, lab, url }) => savedReport(inspected.saved, await chosen(lab, url)),
    POST: async ({ inspected, lab, live, url, request }) => {
      const search = await chosen(lab, url)
      await inspected.saved.save(await readSavedQuery(request))
      live.tell({ kind: 'saved' })
      return savedReport(inspected.saved, search)
    },
    DELETE: async ({ inspected, lab, live, url }) => {
      const search = await chosen(lab, url)
      const query = readQuery(url)
      if (!(await inspected.saved.remove(query))) {
        throw new RefusedRequest(404, `The query "${query}" is not saved.`)
      }
      live.tell({ kind: 'saved' })
      return savedReport(inspected.saved, search)
    },
  },
  '/api/activity': { GET: async ({ inspected }) => inspected.activity.report() },
  '/api/misses': { GET: async ({ inspected, survey }) => missesOf(inspected, survey()) },
  '/api/events': { GET: async ({ live, request }) => live.stream(request.signal) },
}

/** Answers a request under `/api`. Never rejects. */
export async function handleApi(request: Request, desk: ApiContext): Promise<Response> {
  const url = new URL(request.url)
  try {
    const { route, name } = find(url.pathname)
    const run = route[request.method === 'HEAD' ? 'GET' : request.method]
    if (!run)
      return await refuse(request, 405, `Use ${Object.keys(route).join(' or ')} here.`, route)
    const told = await run({ ...desk, request, url, name })
    return told instanceof Response ? told : await jsonResponse(request, told)
  } catch (error) {
    if (error instanceof RefusedRequest) return refuse(request, error.status, error.message)
    const message = error instanceof Error ? error.message : String(error)
    return refuse(request, 500, `The gateway could not answer: ${message}`)
  }
}

function find(path: string): { route: Readonly<Record<string, Route>>; name: string } {
  const [, given = '', rest = ''] = /^\/api\/tools\/([^/]+)(\/[^/]+)?$/.exec(path) ?? []
  const key = given === '' ? path : `/api/tools/NAME${rest}`
  const route = Object.hasOwn(ROUTES, key) ? ROUTES[key] : undefined
  if (!route) {
    throw new RefusedRequest(
      404,
      `There is no ${path}. There are ${Object.keys(ROUTES).join(', ')}.`,
    )
  }
  return { route, name: decode(given) }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new RefusedRequest(400, `"${text}" is no name: write % as %25.`)
  }
}

function reportOf({ inspected, survey, name }: Asked): ToolReport {
  const report = toolReport(inspected, survey(), name)
  if (report) return report
  throw noTool(name)
}

function noTool(name: string): RefusedRequest {
  return new RefusedRequest(404, `There is no tool "${name}". GET /api/tools lists them all.`)
}

/** Whoever runs `toolsearch accept` does it elsewhere. */
async function hearOfAccepted({ gateway, approvals }: Inspected): Promise<void> {
  if (gateway.changedTools().length > 0) await approvals.refresh()
}

async function chosen(lab: SearchLab, { searchParams }: URL) {
  const id = searchParams.get('ranker') ?? undefined
  const found = await lab.toolSearch(id)
  if (found) return found
  const ids = (await lab.rankers()).map((ranker) => ranker.id)
  throw new RefusedRequest(400, `There is no ranker "${id}". There are ${ids.join(', ')}.`)
}

async function refuse(
  request: Request,
  status: number,
  error: string,
  allowed?: Readonly<Record<string, unknown>>,
): Promise<Response> {
  const response = await jsonResponse(request, { error }, { status })
  if (allowed) response.headers.set('allow', Object.keys(allowed).join(', '))
  return response
}
