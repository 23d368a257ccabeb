import { type MissReport, missReport } from './activity/miss-report.ts'
import type { ToolReport } from './api.ts'
import type { CatalogueSnapshot } from './catalogue-snapshot.ts'
import type { InspectionTarget } from './inspection-target.ts'
import { jsonResponse } from './json-response.ts'
import type { LiveEvents } from './live-events.ts'
import { overview } from './overview.ts'
import { RequestError, readLimit, readQuery, readSavedQuery, readToolName } from './read-request.ts'
import { savedReport } from './saved-report.ts'
import type { SearchLab } from './search-lab.ts'
import { searchReport, toolExplanation } from './search-report.ts'
import { toolReport } from './tool-report.ts'

/** What the API routes work with. */
export interface ApiContext {
  readonly target: InspectionTarget
  readonly live: LiveEvents
  readonly lab: SearchLab
  readonly snapshot: () => CatalogueSnapshot
}

interface RouteContext extends ApiContext {
  readonly request: Request
  readonly url: URL
  /** The value of NAME in the path. */
  readonly name: string
}

/** Resolves to the data to send as JSON, or to a complete response. */
type Route = (context: RouteContext) => Promise<object>

/** By path, then by method. */
const ROUTES: Readonly<Record<string, Readonly<Record<string, Route>>>> = {
  '/api/overview': {
    GET: async ({ target, snapshot, lab, url }) => {
      await refreshApprovals(target)
      return overview(target, snapshot(), await lab.rankers(), url.origin)
    },
  },
  '/api/tools': {
    GET: async ({ target, snapshot }) => {
      await refreshApprovals(target)
      return snapshot().list
    },
  },
  '/api/tools/NAME': {
    GET: async (context) => {
      await refreshApprovals(context.target)
      return existingToolReport(context)
    },
  },
  '/api/tools/NAME/accept': {
    POST: async (context) => {
      const { target, live, name, url } = context
      const fingerprint = url.searchParams.get('fingerprint')
      if (fingerprint !== null && fingerprint !== existingToolReport(context).fingerprint) {
        throw new RequestError(409, `${name} changed again in the meantime. Review it once more.`)
      }
      if (!target.gateway.acceptTool(name)) throw unknownTool(name)
      live.refresh()
      return existingToolReport(context)
    },
  },
  '/api/search': {
    GET: async ({ target, lab, url }) => {
      const query = readQuery(url)
      const limit = readLimit(url)
      const search = await chosenSearch(lab, url)
      return (await searchReport(target.gateway, { query, limit, ...search })).report
    },
  },
  '/api/explain': {
    GET: async ({ target, lab, url }) => {
      const query = readQuery(url)
      const limit = readLimit(url)
      const tool = readToolName(url)
      const { toolSearch } = await chosenSearch(lab, url)
      return toolExplanation(target, { query, tool, limit, toolSearch })
    },
  },
  '/api/saved': {
    GET: async ({ target, lab, url }) => savedReport(target.saved, await chosenSearch(lab, url)),
    POST: async ({ target, lab, live, url, request }) => {
      const search = await chosenSearch(lab, url)
      await target.saved.save(await readSavedQuery(request))
      live.send({ kind: 'saved' })
      return savedReport(target.saved, search)
    },
    DELETE: async ({ target, lab, live, url }) => {
      const search = await chosenSearch(lab, url)
      const query = readQuery(url)
      if (!(await target.saved.remove(query))) {
        throw new RequestError(404, `The query "${query}" is not saved.`)
      }
      live.send({ kind: 'saved' })
      return savedReport(target.saved, search)
    },
  },
  '/api/activity': { GET: async ({ target }) => target.activity.report() },
  '/api/misses': { GET: async ({ target, snapshot }) => currentMisses(target, snapshot()) },
  '/api/events': { GET: async ({ live, request }) => live.stream(request.signal) },
}

/** Answers a request under `/api`. Never rejects. */
export async function handleApi(request: Request, context: ApiContext): Promise<Response> {
  const url = new URL(request.url)
  try {
    const { route, name } = findRoute(url.pathname)
    const run = route[request.method === 'HEAD' ? 'GET' : request.method]
    if (!run) {
      const methods = Object.keys(route)
      return await errorResponse(request, 405, `Use ${methods.join(' or ')} here.`, methods)
    }
    const answer = await run({ ...context, request, url, name })
    return answer instanceof Response ? answer : await jsonResponse(request, answer)
  } catch (error) {
    if (error instanceof RequestError) return errorResponse(request, error.status, error.message)
    const message = error instanceof Error ? error.message : String(error)
    return errorResponse(request, 500, `The gateway could not answer: ${message}`)
  }
}

function findRoute(path: string): { route: Readonly<Record<string, Route>>; name: string } {
  const [, encodedName = '', rest = ''] = /^\/api\/tools\/([^/]+)(\/[^/]+)?$/.exec(path) ?? []
  const key = encodedName === '' ? path : `/api/tools/NAME${rest}`
  const route = Object.hasOwn(ROUTES, key) ? ROUTES[key] : undefined
  if (!route) {
    const paths = Object.keys(ROUTES).join(', ')
    throw new RequestError(404, `Unknown path ${path}. Available paths: ${paths}.`)
  }
  return { route, name: decode(encodedName) }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new RequestError(400, `"${text}" is not a valid name. Encode % as %25.`)
  }
}

function existingToolReport({ target, snapshot, name }: RouteContext): ToolReport {
  const report = toolReport(target, snapshot(), name)
  if (report) return report
  throw unknownTool(name)
}

function unknownTool(name: string): RequestError {
  return new RequestError(404, `There is no tool "${name}". GET /api/tools lists all tools.`)
}

/** Picks up approvals that `toolsearch accept` wrote in another process. */
async function refreshApprovals({ gateway, approvals }: InspectionTarget): Promise<void> {
  if (gateway.waitingTools().length > 0) await approvals.refresh()
}

async function chosenSearch(lab: SearchLab, { searchParams }: URL) {
  const id = searchParams.get('ranker') ?? undefined
  const search = await lab.toolSearch(id)
  if (search) return search
  const ids = (await lab.rankers()).map((ranker) => ranker.id)
  throw new RequestError(400, `There is no ranker "${id}". Available rankers: ${ids.join(', ')}.`)
}

function currentMisses(
  { gateway, activity, now = Date.now }: InspectionTarget,
  { list }: CatalogueSnapshot,
): MissReport {
  const { catalogue } = gateway.toolSearch
  const searchable = list.tools
    // Withheld tools are in the list, but not in the catalogue: no search can return them.
    .filter(({ name, isPinned }) => !isPinned && catalogue.has(name))
    .map(({ name, server }) => ({ name, server }))
    .sort((a, b) => compare(a.server, b.server) || compare(a.name, b.name))
  return missReport(activity.report(), {
    tools: searchable,
    isFound: (name) => activity.timesFound(name) > 0,
    now: now(),
  })
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

async function errorResponse(
  request: Request,
  status: number,
  error: string,
  allowedMethods?: readonly string[],
): Promise<Response> {
  const response = await jsonResponse(request, { error }, { status })
  if (allowedMethods) response.headers.set('allow', allowedMethods.join(', '))
  return response
}
