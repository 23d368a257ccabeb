import type { Caller } from '../identity/caller.ts'
import { noteOf } from '../identity/request-note.ts'
import { type ApiPath, readApiPath } from '../serving/http/api-path.ts'
import { jsonResponse } from './json-response.ts'
import { ConfirmationError, RequestError } from './read-request.ts'
import { ACTIVITY_ROUTES } from './routes/activity-routes.ts'
import { AUDIT_ROUTES } from './routes/audit-routes.ts'
import { CATALOGUE_ROUTES } from './routes/catalogue-routes.ts'
import { MEMBER_ROUTES } from './routes/member-routes.ts'
import type { Answer, ApiContext, Change, Route, Routes } from './routes/route.ts'
import { SEARCH_ROUTES } from './routes/search-routes.ts'
import { SERVER_ROUTES } from './routes/server-routes.ts'
import { TEAM_ROUTES } from './routes/team-routes.ts'

/** Everything under `/api` but the accounts of people. The audit log, guards and tests read this list. */
export const API_ROUTES: Routes = {
  ...MEMBER_ROUTES,
  ...CATALOGUE_ROUTES,
  ...SERVER_ROUTES,
  ...SEARCH_ROUTES,
  ...ACTIVITY_ROUTES,
  ...TEAM_ROUTES,
  ...AUDIT_ROUTES,
}

/** Answers a request under `/api`. Never rejects. */
export async function handleApi(
  request: Request,
  url: URL,
  caller: Caller,
  context: ApiContext,
): Promise<Response> {
  const { method } = request
  const { person } = caller
  const path = readApiPath(url.pathname)
  const route = Object.hasOwn(API_ROUTES, path.key) ? API_ROUTES[path.key] : undefined
  const found = route?.[method === 'HEAD' ? 'GET' : (method as keyof Route)]
  const change = typeof found === 'object' ? found : undefined
  const isDry = !['0', 'false'].includes(url.searchParams.get('dry') ?? '0')
  const isRead = method === 'GET' || method === 'HEAD' || (isDry && change?.dryRun !== undefined)
  const record = await recorder(request, { path, change, isRead, caller }, context)
  try {
    const name = nameIn(path)
    if (!Object.hasOwn(MEMBER_ROUTES, path.key) && person.role !== 'administrator') {
      // The same for every other path: a member does not have to know which ones exist.
      throw new RequestError(403, 'Only administrators may see this.')
    }
    if (!route) {
      const paths = Object.keys(API_ROUTES).join(', ')
      throw new RequestError(404, `Unknown path ${url.pathname}. Available paths: ${paths}.`)
    }
    if (!found) {
      const methods = Object.keys(route)
      const error = new RequestError(405, `Use ${methods.join(' or ')} here.`)
      await record.end(error)
      return await errorResponse(request, 405, error.message, methods)
    }
    const run = change ? (isDry ? change.dryRun : change.run) : (found as Answer)
    if (!run) throw new RequestError(400, 'This has no dry run, so nothing was done. Remove "dry".')
    await record.begin()
    const answer = await run({ ...context, request, url, name, person })
    await record.end()
    return answer instanceof Response ? answer : await jsonResponse(request, answer)
  } catch (error) {
    // If it cannot be stored, it is tried again.
    await record.end(error).catch(() => {})
    if (error instanceof ConfirmationError) {
      const { message, status, effect } = error
      return jsonResponse(request, { error: message, effect }, { status })
    }
    if (error instanceof RequestError) return errorResponse(request, error.status, error.message)
    const { code = '', message } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}
    if (UNAVAILABLE.includes(code)) return errorResponse(request, 503, message!)
    return errorResponse(request, 500, `The gateway could not answer: ${message ?? error}`)
  }
}

const UNAVAILABLE = ['database_unavailable', 'audit_unavailable']

interface Recorder {
  /** The change is about to be made. Rejects if it must not be. */
  begin(): Promise<void>
  /** Nothing is recorded twice. */
  end(error?: unknown): Promise<void>
}

/** Records a request that changes something, and one that only reads if it is denied. */
async function recorder(
  request: Request,
  {
    path,
    change,
    isRead,
    caller,
  }: { path: ApiPath; change: Change | undefined; isRead: boolean; caller: Caller },
  { target: { actions } }: ApiContext,
): Promise<Recorder> {
  noteOf(caller).isRecorded = true
  if (!actions) return { begin: async () => {}, end: async () => {} }
  const body: unknown = isRead
    ? undefined
    : await request
        .clone()
        .json()
        .catch(() => undefined)
  const action = {
    person: caller.person,
    action: change?.action ?? `${request.method} ${path.key}`,
    ...(path.name && { name: path.name }),
    ...(body !== undefined && { body }),
  }
  let finish: Awaited<ReturnType<typeof actions.begin>> | undefined
  let hasEnded = false
  return {
    async begin() {
      if (!isRead && !change?.isRecordedByGates) finish = await actions.begin(action)
    },
    async end(error) {
      const isDenied = error instanceof RequestError && error.status === 403
      if (hasEnded || (isRead && !isDenied)) return
      hasEnded = true
      // The page asks the person first, and then sends the request again.
      if (error instanceof ConfirmationError) return
      if (error === undefined) return finish?.()
      const end = { error: messageOf(error), ...(isDenied && { isDenied }) }
      if (finish) return finish(end)
      actions.record({ ...action, ...end })
    },
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** @throws RequestError */
function nameIn({ encodedName, name }: ApiPath): string {
  if (name !== undefined) return name
  throw new RequestError(400, `"${encodedName}" is not a valid name. Encode % as %25.`)
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
