import { type MissReport, missReport } from './activity/miss-report.ts'
import type { ConfigEdit, ServerReport, SignInStart, ToolReport } from './api.ts'
import { callFromPage } from './call-from-page.ts'
import type { CatalogueSnapshot } from './catalogue-snapshot.ts'
import type { ConfigEditor } from './editing/config-editor.ts'
import type { ExampleQueries } from './example-queries.ts'
import { historyPage } from './history/history-page.ts'
import type { Period } from './history/history-store.ts'
import { timeline } from './history/timeline.ts'
import type { InspectionTarget } from './inspection-target.ts'
import { jsonResponse } from './json-response.ts'
import type { LiveEvents } from './live-events.ts'
import { NOT_EDITABLE, overview, serverReports } from './overview.ts'
import {
  readChangeId,
  readConfigEdit,
  readHistoryFilter,
  readPeriod,
  readToolCall,
} from './read-action.ts'
import {
  ConfirmationError,
  RequestError,
  readLimit,
  readQuery,
  readSavedQuery,
  readToolName,
} from './read-request.ts'
import { sampleSession } from './sample-session.ts'
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
  readonly examples: ExampleQueries
  /** When the gateway started, in milliseconds. */
  readonly startedAt: number
}

interface RouteContext extends ApiContext {
  readonly request: Request
  readonly url: URL
  /** The value of NAME in the path. */
  readonly name: string
}

/** Resolves to the data to send as JSON, or to a complete response. */
type Route = (context: RouteContext) => Promise<object>

const DAY_MS = 86_400_000

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
    POST: async (context) => decide(context, ({ gateway }, name) => gateway.acceptTool(name)),
  },
  '/api/tools/NAME/block': {
    POST: async (context) => decide(context, ({ gateway }, name) => gateway.blockTool(name)),
  },
  '/api/tools/NAME/undo': {
    POST: async (context) => {
      const { target, live, name } = context
      existingToolReport(context)
      if (!target.gateway.undoDecision(name)) {
        throw new RequestError(409, `There is no decision about ${name} to undo.`)
      }
      live.refresh()
      return existingToolReport(context)
    },
  },
  '/api/tools/NAME/call': {
    POST: async (context) => {
      const { target, request } = context
      const call = await readToolCall(request)
      return callFromPage(target, existingToolReport(context), call, request.signal)
    },
  },
  '/api/servers/NAME/restart': {
    POST: async ({ target, snapshot, name }): Promise<ServerReport> => {
      if (!(await target.restartServer(name))) throw unknownServer(target, name)
      const report = serverReports(target, snapshot().cost).find((each) => each.name === name)
      if (!report) throw unknownServer(target, name)
      return report
    },
  },
  '/api/servers/NAME/sign-in': {
    POST: async ({ target, name }): Promise<SignInStart> => {
      const { servers, startSignIn } = target
      if (!servers.upstreams.has(name)) throw unknownServer(target, name)
      const command = `toolsearch sign-in ${name}`
      if (!startSignIn) throw new RequestError(409, `Sign in on the command line: ${command}.`)
      try {
        return { url: await startSignIn(name) }
      } catch (error) {
        throw new RequestError(409, (error as Error).message)
      }
    },
  },
  '/api/config': {
    POST: async ({ target, live, request, url }) => {
      const edit = await readConfigEdit(request)
      const editor = existingEditor(target)
      checkTool(target, edit)
      if (isSet(url, 'dry')) return editor.preview(edit)
      const report = await editor.apply(edit)
      live.send({ kind: 'config' })
      live.refresh()
      return report
    },
  },
  '/api/config/changes': { GET: async ({ target }) => existingEditor(target).list() },
  '/api/config/undo': {
    POST: async ({ target, live, request }) => {
      const report = await existingEditor(target).undo(await readChangeId(request))
      live.send({ kind: 'config' })
      live.refresh()
      return report
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
  '/api/examples': { GET: async ({ examples }) => examples.list() },
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
  '/api/history': {
    GET: async ({ target, url }) => {
      const filter = readHistoryFilter(url)
      const period = readPeriod(url, { now: nowOf(target), defaultSince: 0 })
      const { history } = target
      return historyPage(await history.read(period), period, filter, history.isKept)
    },
  },
  '/api/timeline': {
    GET: async ({ target, url }) => {
      const now = nowOf(target)
      const period = readPeriod(url, { now, defaultSince: now - DAY_MS })
      const { history } = target
      return timeline(await history.read(period), period, history.isKept)
    },
  },
  '/api/misses': {
    GET: async ({ target, snapshot, url, startedAt }) => {
      const period = readPeriod(url, { now: nowOf(target), defaultSince: startedAt })
      return missesOf(target, snapshot(), period)
    },
  },
  '/api/sample': {
    GET: async ({ target, snapshot }) => sampleSession(snapshot().list.tools, nowOf(target)),
  },
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
    if (error instanceof ConfirmationError) {
      const { message, status, effect } = error
      return jsonResponse(request, { error: message, effect }, { status })
    }
    if (error instanceof RequestError) return errorResponse(request, error.status, error.message)
    const message = error instanceof Error ? error.message : String(error)
    return errorResponse(request, 500, `The gateway could not answer: ${message}`)
  }
}

function findRoute(path: string): { route: Readonly<Record<string, Route>>; name: string } {
  const [, kind = '', encodedName = '', rest = ''] =
    /^\/api\/(tools|servers)\/([^/]+)(\/[^/]+)?$/.exec(path) ?? []
  const key = encodedName === '' ? path : `/api/${kind}/NAME${rest}`
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

/** @throws RequestError if there is no such tool, or if it is not the one that the person reviewed */
function decide(
  context: RouteContext,
  decision: (target: InspectionTarget, name: string) => boolean,
): ToolReport {
  const { target, live, name, url } = context
  const fingerprint = url.searchParams.get('fingerprint')
  if (fingerprint !== null && fingerprint !== existingToolReport(context).fingerprint) {
    throw new RequestError(409, `${name} changed again in the meantime. Review it once more.`)
  }
  if (!decision(target, name)) throw unknownTool(name)
  live.refresh()
  return existingToolReport(context)
}

function existingToolReport({ target, snapshot, name }: RouteContext): ToolReport {
  const report = toolReport(target, snapshot(), name)
  if (report) return report
  throw unknownTool(name)
}

function unknownTool(name: string): RequestError {
  return new RequestError(404, `There is no tool "${name}". GET /api/tools lists all tools.`)
}

/** Picks up what `toolsearch accept` decided in another process. */
async function refreshApprovals({ gateway, approvals }: InspectionTarget): Promise<void> {
  if (gateway.waitingTools().length === 0) return
  await approvals.refresh()
  gateway.applyApprovals()
}

async function chosenSearch(lab: SearchLab, { searchParams }: URL) {
  const id = searchParams.get('ranker') ?? undefined
  const search = await lab.toolSearch(id)
  if (search) return search
  const ids = (await lab.rankers()).map((ranker) => ranker.id)
  throw new RequestError(400, `There is no ranker "${id}". Available rankers: ${ids.join(', ')}.`)
}

async function missesOf(
  { gateway, history }: InspectionTarget,
  { list }: CatalogueSnapshot,
  { since, until }: Period,
): Promise<MissReport> {
  const { catalogue } = gateway.toolSearch
  const tools = list.tools
    // Withheld tools are in the list, but not in the catalogue: no search can return them.
    .filter(({ name, isPinned }) => !isPinned && catalogue.has(name))
    .map(({ name, server }) => ({ name, server }))
    .sort((a, b) => compare(a.server, b.server) || compare(a.name, b.name))
  const entries = await history.read({ since, until })
  const searches = entries.filter((entry) => entry.kind === 'search')
  return missReport(searches, ({ miss }) => miss, {
    tools,
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
  })
}

function nowOf({ now = Date.now }: InspectionTarget): number {
  return now()
}

function isSet({ searchParams }: URL, name: string): boolean {
  return ['', '1', 'true'].includes(searchParams.get(name) ?? '0')
}

/** @throws RequestError */
function existingEditor({ editor }: InspectionTarget): ConfigEditor {
  if (editor) return editor
  throw new RequestError(409, NOT_EDITABLE)
}

/** Rejects settings for a tool that the server does not have. Removing them is always possible. */
function checkTool({ servers }: InspectionTarget, edit: ConfigEdit): void {
  if (!('tool' in edit) || ['allow', 'undeny', 'unpin'].includes(edit.action)) return
  if ('value' in edit && edit.value === null) return
  const tools = servers.upstreams.get(edit.server)?.tools
  // The tools of a server that never connected are unknown.
  if (!tools || tools.length === 0 || tools.some(({ name }) => name === edit.tool)) return
  throw new RequestError(404, `${edit.server} has no tool "${edit.tool}".`)
}

function unknownServer({ servers }: InspectionTarget, name: string): RequestError {
  const names = [...servers.upstreams.keys()].join(', ')
  return new RequestError(404, `There is no running server "${name}". Servers: ${names}.`)
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
