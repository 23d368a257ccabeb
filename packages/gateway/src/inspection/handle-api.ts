import type { Person } from '../identity/person.ts'
import { decodePercent } from '../system/decode-percent.ts'
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
  person: Person,
  context: ApiContext,
): Promise<Response> {
  const { method } = request
  const path = readPath(url.pathname)
  const route = Object.hasOwn(API_ROUTES, path.key) ? API_ROUTES[path.key] : undefined
  const found = route?.[method === 'HEAD' ? 'GET' : (method as keyof Route)]
  const change = typeof found === 'object' ? found : undefined
  const isDry = !['0', 'false'].includes(url.searchParams.get('dry') ?? '0')
  const mayChange = method !== 'GET' && method !== 'HEAD' && !(isDry && change?.dryRun)
  const report = mayChange ? await reporter(request, { path, change, person }, context) : () => {}
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
      return await errorResponse(request, 405, `Use ${methods.join(' or ')} here.`, methods)
    }
    const run = change ? (isDry ? change.dryRun : change.run) : (found as Answer)
    if (!run) throw new RequestError(400, 'This has no dry run, so nothing was done. Remove "dry".')
    const answer = await run({ ...context, request, url, name, person })
    report()
    return answer instanceof Response ? answer : await jsonResponse(request, answer)
  } catch (error) {
    report(error)
    if (error instanceof ConfirmationError) {
      const { message, status, effect } = error
      return jsonResponse(request, { error: message, effect }, { status })
    }
    if (error instanceof RequestError) return errorResponse(request, error.status, error.message)
    const { code, message } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}
    if (code === 'database_unavailable') return errorResponse(request, 503, message!)
    return errorResponse(request, 500, `The gateway could not answer: ${message ?? error}`)
  }
}

/** Reports a request that changes something, once it is done. */
async function reporter(
  request: Request,
  { path, change, person }: { path: ApiPath; change: Change | undefined; person: Person },
  { target: { onAction } }: ApiContext,
): Promise<(error?: unknown) => void> {
  if (!onAction) return () => {}
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => undefined)
  return (error) => {
    // The page asks the person first, and then sends the request again.
    if (error instanceof ConfirmationError) return
    if (change?.isRecordedByGates && error === undefined) return
    const name = decodePercent(path.encodedName)
    onAction({
      person,
      action: change?.action ?? `${request.method} ${path.key}`,
      ...(name && { name }),
      ...(body !== undefined && { body }),
      ...(error !== undefined && { error: error instanceof Error ? error.message : String(error) }),
      ...(error instanceof RequestError && error.status === 403 && { isDenied: true }),
    })
  }
}

/** A path with NAME in place of a name, such as `/api/tools/NAME/call`. */
interface ApiPath {
  readonly key: string
  /** Empty if there is none. */
  readonly encodedName: string
}

function readPath(path: string): ApiPath {
  const [, kind = '', encodedName = '', rest = ''] =
    /^\/api\/(tools|servers|accounts|keys|people)\/([^/]+)(\/[^/]+)?$/.exec(path) ?? []
  return { key: encodedName === '' ? path : `/api/${kind}/NAME${rest}`, encodedName }
}

/** @throws RequestError */
function nameIn({ encodedName }: ApiPath): string {
  const name = decodePercent(encodedName)
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
