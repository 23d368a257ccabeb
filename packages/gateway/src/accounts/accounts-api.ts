import type { ServerConfig } from '../config/gateway-config.ts'
import { createBrowserBinding } from '../identity/browser-binding.ts'
import type { Caller } from '../identity/caller.ts'
import type { Person } from '../identity/person.ts'
import { noteOf } from '../identity/request-note.ts'
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

/** Something that a person does with an account, for the audit log. */
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
  readonly begin: BeginAccountEvent
}

/**
 * Prepares the record of an event that is about to take effect. Resolves to a function that records its end. Both
 * reject with a message for people if it cannot be recorded but must be.
 */
type BeginAccountEvent = (event: AccountEvent) => Promise<(error?: string) => Promise<void>>

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
  const { url, store, connect, personServers, mayUse } = options
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
    { id }: Person,
    config: ServerConfig,
  ): Promise<{ wasConnected: boolean; wasRevoked: boolean }> {
    const key = accountKey(id, config)
    const account = await store.read(key)
    if (!account) return { wasConnected: false, wasRevoked: false }
    const event = { person: id, server: config.name, action: 'disconnect' } as const
    const wasConnected = await recorded(event, () => store.remove(key))
    const { signIn } = account
    const remote = signInTarget(config)
    const wasRevoked = !!remote && !!signIn && (await revokeTokens(remote, signIn))
    return { wasConnected, wasRevoked }
  }

  /** Does something that takes effect only if it can be recorded. */
  async function recorded<Result>(
    event: AccountEvent,
    run: () => Promise<Result>,
  ): Promise<Result> {
    const end = await options.begin(event)
    let result: Result
    try {
      result = await run()
    } catch (error) {
      // If it cannot be stored, it is tried again.
      await end((error as Error).message).catch(() => {})
      throw error
    }
    await end()
    return result
  }

  async function answer(request: Request, asked: URL, caller: Caller): Promise<Response> {
    const { person } = caller
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
        const { wasConnected, wasRevoked } = await disconnect(person, config)
        if (wasConnected) noteOf(caller).isRecorded = true
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
        await recorded({ person: id, server: name, action: 'set-values' }, () =>
          store.change(accountKey(id, config), (account) => ({
            ...account,
            values: { ...account.values, ...read.values },
          })),
        )
        noteOf(caller).isRecorded = true
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

  async function answerPerson(request: Request, asked: URL, caller: Caller): Promise<Response> {
    try {
      return await answer(request, asked, caller)
    } catch (error) {
      const { code, message } = error as { code?: unknown; message: string }
      noteOf(caller).error = message
      if (code === 'audit_unavailable') return json(503, { error: message })
      if (error instanceof ApiError) return json(error.status, { error: error.message })
      if (error instanceof SignInFailedError) return json(409, { error: error.message })
      return json(503, { error: 'Your accounts cannot be reached at the moment. Try again.' })
    }
  }

  async function answerRedirected(request: Request, { searchParams }: URL): Promise<Response> {
    try {
      const person = await options.signedIn(request)
      const isSame = (browser: string) => browsers.isSame(request, browser)
      const connected = await connect.finish(searchParams, isSame, {
        signedIn: person?.id,
        store: (flow, run) => recorded({ ...flow, action: 'connect' }, run),
      })
      return redirect(`${origin}/#${PAGE}?connected=${encodeURIComponent(connected.server)}`)
    } catch (error) {
      const { code, message } = error as { code?: unknown; message: string }
      if (code === 'audit_unavailable') return page(503, message)
      if (error instanceof SignInFailedError) return page(400, message)
      return page(503, 'The account could not be stored. Go back to your accounts and try again.')
    }
  }

  return async (request, asked, caller) => {
    const { pathname } = asked
    if (pathname === ACCOUNTS || pathname.startsWith(`${ACCOUNTS}/`)) {
      return answerPerson(request, asked, caller)
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
