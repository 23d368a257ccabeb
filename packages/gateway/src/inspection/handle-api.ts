import type { Person } from '../identity/person.ts'
import { decodePercent } from '../system/decode-percent.ts'
import { actionName, TOOL_CALL } from './action-names.ts'
import { jsonResponse } from './json-response.ts'
import { ConfirmationError, RequestError } from './read-request.ts'
import { ACTIVITY_ROUTES } from './routes/activity-routes.ts'
import { AUDIT_ROUTES } from './routes/audit-routes.ts'
import { CATALOGUE_ROUTES } from './routes/catalogue-routes.ts'
import { MEMBER_ROUTES } from './routes/member-routes.ts'
import type { Answer, ApiContext, Routes } from './routes/route.ts'
import { SEARCH_ROUTES } from './routes/search-routes.ts'
import { SERVER_ROUTES } from './routes/server-routes.ts'
import { TEAM_ROUTES } from './routes/team-routes.ts'

/** For administrators. Without identity settings, everybody is one. */
const ADMINISTRATOR_ROUTES: Routes = {
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
  const report = await reporter(request, url, person, context)
  try {
    const { route, name } = findRoute(url.pathname, person)
    const run = route[request.method === 'HEAD' ? 'GET' : request.method]
    if (!run) {
      const methods = Object.keys(route)
      return await errorResponse(request, 405, `Use ${methods.join(' or ')} here.`, methods)
    }
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
  url: URL,
  person: Person,
  { target: { onAction } }: ApiContext,
): Promise<(error?: unknown) => void> {
  const isDry = url.searchParams.has('dry')
  if (!onAction || isDry || request.method === 'GET' || request.method === 'HEAD') return () => {}
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => undefined)
  return (error) => {
    // The page asks the person first, and then sends the request again.
    if (error instanceof ConfirmationError) return
    const { key, name } = safePath(url.pathname)
    const action = actionName(request.method, key)
    // A call that was made has passed the gates, which recorded it.
    if (action === TOOL_CALL && error === undefined) return
    onAction({
      person,
      action,
      ...(name !== '' && { name }),
      ...(body !== undefined && { body }),
      ...(error !== undefined && { error: error instanceof Error ? error.message : String(error) }),
      ...(error instanceof RequestError && error.status === 403 && { isDenied: true }),
    })
  }
}

function safePath(path: string): { key: string; name: string } {
  try {
    return readPath(path)
  } catch {
    return { key: path, name: '' }
  }
}

/** @throws RequestError if there is no such route, or if it is not for this person */
function findRoute(
  path: string,
  { role }: Person,
): { route: Readonly<Record<string, Answer>>; name: string } {
  const { key, name } = readPath(path)
  const own = Object.hasOwn(MEMBER_ROUTES, key) ? MEMBER_ROUTES[key] : undefined
  if (own) return { route: own, name }
  if (role !== 'administrator') {
    // The same for every other path: a member does not have to know which ones exist.
    throw new RequestError(403, 'Only administrators may see this.')
  }
  const route = Object.hasOwn(ADMINISTRATOR_ROUTES, key) ? ADMINISTRATOR_ROUTES[key] : undefined
  if (route) return { route, name }
  const paths = Object.keys({ ...MEMBER_ROUTES, ...ADMINISTRATOR_ROUTES }).join(', ')
  throw new RequestError(404, `Unknown path ${path}. Available paths: ${paths}.`)
}

/** The path with NAME in place of a name, such as `/api/tools/NAME/call`. */
function readPath(path: string): { key: string; name: string } {
  const [, kind = '', encodedName = '', rest = ''] =
    /^\/api\/(tools|servers|accounts|keys|people)\/([^/]+)(\/[^/]+)?$/.exec(path) ?? []
  if (encodedName === '') return { key: path, name: '' }
  return { key: `/api/${kind}/NAME${rest}`, name: decode(encodedName) }
}

function decode(text: string): string {
  const name = decodePercent(text)
  if (name === undefined) {
    throw new RequestError(400, `"${text}" is not a valid name. Encode % as %25.`)
  }
  return name
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
