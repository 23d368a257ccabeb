import { createHash } from 'node:crypto'
import type { ServerConfig } from '../config/gateway-config.ts'
import {
  beginAuthorization,
  finishAuthorization,
  type PendingAuthorization,
} from '../sign-in/authorization-flow.ts'
import type { RemoteServer } from '../sign-in/remote-server.ts'
import { SignInFailedError, signInFailure } from '../sign-in/sign-in-error.ts'
import { createOwnedValues } from '../state/owned-values.ts'
import type { SharedState } from '../state/shared-state.ts'
import { accountKey, signInTarget } from './account-servers.ts'
import type { AccountStore } from './account-store.ts'
import { withPersonValues } from './person-values.ts'
import type { SecretBox } from './secret-box.ts'

/** Lets people sign in to servers in their browsers. */
export interface ConnectAccounts {
  /**
   * Starts a sign-in. Resolves to the page of the authorization server that the person must open.
   *
   * @param browser identifies the browser of the person
   * @throws SignInFailedError
   */
  begin(person: string, config: ServerConfig, browser: string): Promise<string>
  /**
   * Finishes a sign-in, in any replica, and stores the tokens for the person who started it.
   *
   * @param isSame whether the browser that was redirected is the given one
   * @throws SignInFailedError
   */
  finish(
    params: URLSearchParams,
    isSame: (browser: string) => boolean,
    options: FinishOptions,
  ): Promise<FinishedConnect>
}

interface FinishedConnect {
  readonly person: string
  readonly server: string
}

interface FinishOptions {
  /** The person who is signed in to the gateway in this browser, if known. */
  readonly signedIn: string | undefined
  /** Surrounds what gets the tokens and stores them. May refuse it. */
  readonly store: (connect: FinishedConnect, run: () => Promise<void>) => Promise<void>
}

export interface ConnectAccountsOptions {
  readonly store: AccountStore
  readonly box: SecretBox
  readonly state: SharedState
  readonly redirectUrl: string
  readonly serverNamed: (name: string) => ServerConfig | undefined
}

/** A sign-in between the two visits of the browser, as it is kept in the shared state. */
interface StoredConnect {
  readonly person: string
  readonly server: string
  readonly url: string
  readonly browser: string
  readonly pending: PendingAuthorization
}

const TTL_MS = 10 * 60_000
const MAX_STARTED = 30
/** In characters. What authorization servers say about themselves is in it. */
const CAPACITY = 20_000_000
/** Owns the clients that the gateway has registered for everybody. Ids of people contain a space. */
const GATEWAY = 'gateway'

const EXPIRED =
  'This sign-in has expired or was completed already. Go back to your accounts and connect again.'
const WRONG_BROWSER =
  'This sign-in was started in a different browser or by a different person, so nothing was connected. Go back to your accounts and connect again.'

export function createConnectAccounts(options: ConnectAccountsOptions): ConnectAccounts {
  const { store, box, state, redirectUrl, serverNamed } = options
  const flows = createOwnedValues(state, { kind: 'accounts:connect', capacity: CAPACITY })
  const fieldOf = (id: string) => ({ person: '', server: '', url: '', field: `connect ${id}` })

  /** Each can register a client at an authorization server. */
  async function countStarted(person: string): Promise<void> {
    let started = 0
    await state.update(
      `accounts:started:${hash(person)}`,
      (count) => {
        started = Number(count ?? 0) + 1
        return String(started)
      },
      TTL_MS,
    )
    if (started > MAX_STARTED) {
      throw new SignInFailedError('You have started too many sign-ins. Try again in 10 minutes.')
    }
  }

  /** Takes the flow out of the shared state, so that it can be finished only once. */
  async function take(id: string): Promise<StoredConnect | undefined> {
    const sealed = await flows.get(id)
    if (sealed === undefined || !(await flows.delete(id))) return undefined
    const text = box.open(sealed, fieldOf(id))
    return text === undefined ? undefined : JSON.parse(text)
  }

  /** The server to sign in to, with what the person has entered for it. */
  async function targetFor(person: string, config: ServerConfig): Promise<RemoteServer> {
    const account = await store.read(accountKey(person, config))
    const filled = withPersonValues(config, account?.values)
    const remote = 'config' in filled ? signInTarget(filled.config) : undefined
    if (remote) return remote
    throw new SignInFailedError(`Enter what ${config.name} needs before you sign in to it.`)
  }

  return {
    async begin(person, config, browser) {
      if (!signInTarget(config)) {
        throw new SignInFailedError(`There is no sign-in to ${config.name}.`)
      }
      await countStarted(person)
      const key = accountKey(person, config)
      const own = (await store.read(key))?.signIn
      const remote = await targetFor(person, config)
      const client = (await store.read({ ...key, person: GATEWAY }))?.signIn?.client
      const stored = client ? { ...own, client } : own
      const { url, pending } = await begin(remote, stored)
      if (pending.flow.client && pending.flow.client !== client) {
        const signIn = { client: pending.flow.client }
        await store.change({ ...key, person: GATEWAY }, () => ({ signIn }))
      }
      const id = hash(pending.state)
      const flow: StoredConnect = { person, server: config.name, url: remote.url, browser, pending }
      const sealed = box.seal(JSON.stringify(flow), fieldOf(id))
      await flows.set(id, sealed, { owner: person, ttlMs: TTL_MS })
      return url.href
    },
    async finish(params, isSame, { signedIn, ...options }) {
      const id = hash(params.get('state') ?? '')
      const flow = await take(id)
      if (!flow) throw new SignInFailedError(EXPIRED)
      const { person, server, url, browser, pending } = flow
      if (!isSame(browser) || (signedIn !== undefined && signedIn !== person)) {
        throw new SignInFailedError(WRONG_BROWSER)
      }
      const config = serverNamed(server)
      const remote = config && (await targetFor(person, config))
      // the administrator may have changed the configuration in the meantime
      if (!config || remote?.url !== url) throw new SignInFailedError(EXPIRED)
      await options.store({ person, server }, async () => {
        try {
          const signIn = await finishAuthorization(remote, pending, params)
          await store.change(accountKey(person, config), (account) => ({ ...account, signIn }))
        } catch (error) {
          // the authorization server may have deleted the client: register a new one next time
          if ((error as { code?: unknown }).code === 'invalid_client') {
            await store.remove(accountKey(GATEWAY, config)).catch(() => {})
          }
          throw signInFailure(server, error)
        }
      })
      return { person, server }
    },
  }

  async function begin(
    remote: RemoteServer,
    stored: Parameters<typeof beginAuthorization>[1]['stored'],
  ): ReturnType<typeof beginAuthorization> {
    try {
      return await beginAuthorization(remote, { stored, redirectUrl })
    } catch (error) {
      throw signInFailure(remote.name, error)
    }
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
