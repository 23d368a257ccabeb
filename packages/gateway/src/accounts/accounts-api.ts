import type { ServerConfig } from '../config/gateway-config.ts'
import { createBrowserBinding } from '../identity/browser-binding.ts'
import type { Caller } from '../identity/caller.ts'
import type { Person } from '../identity/person.ts'
import type { PersonServers } from '../offering/person-servers.ts'
import { revokeTokens } from '../sign-in/revoke-tokens.ts'
import { SignInFailedError } from '../sign-in/sign-in-error.ts'
import { accountOverviews } from './account-overview.ts'
import { accountKey, isPersonal, signInTarget } from './account-servers.ts'
import type { AccountStore } from './account-store.ts'
import type { ConnectAccounts } from './connect-accounts.ts'
import { personValueNames } from './person-values.ts'
import { readValues } from './read-values.ts'

/**
 * What people do with their own accounts, over HTTP. Undefined for paths that it does not answer. Never
 * rejects.
 *
 * - `/api/accounts` and everything below: for a caller who has signed in to the gateway
 * - `/accounts/callback`: for a browser that an authorization server has redirected
 * - `/accounts`: leads to the page
 */
export type AccountsApi = (
  request: Request,
  url: URL,
  caller: Caller,
) => Promise<Response | undefined>

/** Something that a person did with an account, for the audit log. */
export interface AccountEvent {
  /** The id of the person. */
  readonly person: string
  readonly server: string
  readonly action: 'connect' | 'disconnect' | 'set-values'
}

export interface AccountsApiOptions {
  /** The public address of the gateway, without a path. */
  readonly url: string
  readonly store: AccountStore
  readonly connect: ConnectAccounts
  readonly servers: () => readonly ServerConfig[]
  /** Whether a person may know a server. The others do not exist for that person. */
  readonly mayUse: (person: Person, server: string) => boolean
  readonly personServers: PersonServers
  /** The person who is signed in to the gateway in the browser that sends a request, if known. */
  readonly signedIn: (request: Request) => Promise<Person | undefined>
  readonly onEvent: (event: AccountEvent) => void
}

const ACCOUNTS = '/api/accounts'
const CALLBACK = '/accounts/callback'
const PAGE = '/accounts'

/** The address that authorization servers redirect browsers to. */
export function callbackUrl(url: string): string {
  return new URL(CALLBACK, url).href
}

/** The page where people connect their accounts. */
export function accountsPage(url: string): string {
  return new URL(PAGE, url).href
}

/** A request that cannot be answered. The message is for the person. */
class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export function createAccountsApi(options: AccountsApiOptions): AccountsApi {
  const { url, store, connect, personServers, mayUse, onEvent } = options
  const { origin } = new URL(url)
  const browsers = createBrowserBinding('toolsearch-connect', url)

  const visible = (person: Person) =>
    options.servers().filter((config) => isPersonal(config) && mayUse(person, config.name))

  async function list(person: Person): Promise<object> {
    const accounts = await accountOverviews(store, person.id, visible(person))
    const own = personServers.serversFor(person)?.upstreams
    return {
      accounts: accounts.map((account) => {
        const { state, detail } = own?.get(account.server)?.status ?? {}
        const connection = state && { state, ...(detail !== undefined && { detail }) }
        return { ...account, ...(connection && { connection }) }
      }),
    }
  }

  /** @throws ApiError for servers that do not exist for this person */
  function serverNamed(person: Person, name: string): ServerConfig {
    const config = visible(person).find((each) => each.name === name)
    if (config) return config
    throw new ApiError(404, `You have no account named "${name}".`)
  }

  async function disconnect(
    person: string,
    config: ServerConfig,
  ): Promise<{ wasConnected: boolean; wasRevoked: boolean }> {
    const key = accountKey(person, config)
    const signIn = (await store.read(key))?.signIn
    const wasConnected = await store.remove(key)
    const remote = signInTarget(config)
    const wasRevoked = !!remote && !!signIn && (await revokeTokens(remote, signIn))
    return { wasConnected, wasRevoked }
  }

  async function answer(request: Request, asked: URL, person: Person): Promise<Response> {
    const [name, action, ...rest] = segments(asked.pathname.slice(ACCOUNTS.length))
    const { method } = request
    if (method !== 'GET') refuseOtherSites(request, asked)
    if (name === undefined) {
      if (method === 'GET') return json(200, await list(person))
      throw notAllowed('GET')
    }
    const config = serverNamed(person, name)
    const { id } = person
    if (rest.length > 0) throw new ApiError(404, 'Not found.')
    switch (action) {
      case undefined: {
        if (method !== 'DELETE') throw notAllowed('DELETE')
        const { wasConnected, wasRevoked } = await disconnect(id, config)
        if (wasConnected) onEvent({ person: id, server: name, action: 'disconnect' })
        return json(200, { server: name, wasConnected, wasRevoked })
      }
      case 'connect': {
        if (method !== 'POST') throw notAllowed('POST')
        const browser = browsers.of(request)
        const signInUrl = await connect.begin(id, config, browser.id)
        return json(200, { url: signInUrl }, { 'set-cookie': browser.cookie })
      }
      case 'values': {
        if (method !== 'PUT') throw notAllowed('PUT')
        const names = personValueNames(config)
        const read = readValues(await request.text(), names, config.connection.kind)
        if ('problem' in read) throw new ApiError(400, read.problem)
        await store.change(accountKey(id, config), (account) => ({
          ...account,
          values: { ...account.values, ...read.values },
        }))
        onEvent({ person: id, server: name, action: 'set-values' })
        return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
      }
      default:
        throw new ApiError(404, 'Not found.')
    }
  }

  /** Browsers send the origin of the page; other clients send none. */
  function refuseOtherSites({ headers }: Request, asked: URL): void {
    const from = headers.get('origin')
    const site = headers.get('sec-fetch-site')
    const isSameOrigin = from === null || from === origin || from === asked.origin
    if (isSameOrigin && (site === null || site === 'same-origin')) return
    throw new ApiError(403, 'Requests from other sites are not allowed.')
  }

  async function answerPerson(request: Request, asked: URL, person: Person): Promise<Response> {
    try {
      return await answer(request, asked, person)
    } catch (error) {
      if (error instanceof ApiError) return json(error.status, { error: error.message })
      if (error instanceof SignInFailedError) return json(409, { error: error.message })
      return json(503, { error: 'Your accounts cannot be reached at the moment. Try again.' })
    }
  }

  async function answerRedirected(request: Request, { searchParams }: URL): Promise<Response> {
    try {
      const person = await options.signedIn(request)
      const isSame = (browser: string) => browsers.isSame(request, browser)
      const connected = await connect.finish(searchParams, isSame, person?.id)
      onEvent({ ...connected, action: 'connect' })
      return redirect(`${origin}/#${PAGE}?connected=${encodeURIComponent(connected.server)}`)
    } catch (error) {
      if (error instanceof SignInFailedError) return page(400, error.message)
      return page(503, 'The account could not be stored. Go back to your accounts and try again.')
    }
  }

  return async (request, asked, { person }) => {
    const { pathname } = asked
    if (pathname === ACCOUNTS || pathname.startsWith(`${ACCOUNTS}/`)) {
      return answerPerson(request, asked, person)
    }
    if (request.method !== 'GET') return undefined
    if (pathname === CALLBACK) return answerRedirected(request, asked)
    return pathname === PAGE ? redirect(`${origin}/#${PAGE}`) : undefined
  }
}

/** The decoded parts of a path. Undefined parts make the request fail. */
function segments(path: string): string[] {
  try {
    return path.split('/').slice(1).map(decodeURIComponent)
  } catch {
    throw new ApiError(400, 'The path is invalid.')
  }
}

function notAllowed(method: string): ApiError {
  return new ApiError(405, `Use ${method}.`)
}

function json(status: number, body: object, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } })
}

function redirect(location: string): Response {
  const headers = { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
  return new Response(null, { status: 303, headers })
}

/** Plain text, because the message can contain text of an authorization server. */
function page(status: number, text: string): Response {
  return new Response(`${text}\n`, {
    status,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    },
  })
}
