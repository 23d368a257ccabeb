import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServerConfig } from '../config/gateway-config.ts'
import { createIdTokens } from '../identity/id-tokens.ts'
import { NOBODY, type Person, personId } from '../identity/person.ts'
import { createMemoryState } from '../state/memory-state.ts'
import type { SharedState } from '../state/shared-state.ts'
import { createAccountFiles } from './account-files.ts'
import { type AccountStore, createAccountStore } from './account-store.ts'
import {
  type AccountEvent,
  type AccountsApi,
  accountsPage,
  callbackUrl,
  createAccountsApi,
} from './accounts-api.ts'
import { createConnectAccounts } from './connect-accounts.ts'
import {
  createPersonServers,
  type ManagedPersonServers,
  type PersonServersOptions,
} from './create-person-servers.ts'
import { createSecretBox } from './secret-box.ts'

export const GATEWAY_URL = 'https://gateway.example'

/** What stands for a value of each person in the configuration. */
export const personValue = (name: string): string => `\${person:${name}}`

/** A person who has signed in to the gateway. */
export function person(name: string, token?: string): Person {
  return {
    id: personId('https://idp.example', name),
    issuer: 'https://idp.example',
    subject: name,
    groups: [],
    role: 'member',
    ...(token !== undefined && { token }),
  }
}

/** One replica of a gateway, as far as accounts are concerned. */
export interface Replica {
  readonly store: AccountStore
  readonly people: ManagedPersonServers
  readonly api: AccountsApi
  readonly events: AccountEvent[]
  /** Problems that administrators get to know. */
  readonly problems: string[]
  close(): Promise<void>
}

interface ReplicaOptions
  extends Partial<Pick<PersonServersOptions, 'maxOpen' | 'maxPeople' | 'idleMs'>> {
  readonly state?: SharedState
  readonly mayUse?: (person: Person, server: string) => boolean
  /** Who is signed in to the gateway in the browser. @default not known */
  readonly signedIn?: Person
}

/** The storage of one gateway, and its replicas. */
export interface Team {
  readonly folder: string
  readonly key: Buffer
  readonly state: SharedState
  replica(configs: readonly ServerConfig[], options?: ReplicaOptions): Promise<Replica>
  close(): Promise<void>
}

export async function createTeam(): Promise<Team> {
  const folder = await mkdtemp(join(tmpdir(), 'toolsearch-team-'))
  const key = randomBytes(32)
  const common = createMemoryState()
  const replicas: Replica[] = []
  return {
    folder,
    key,
    state: common,
    async replica(configs, { state = common, mayUse = () => true, signedIn, ...limits } = {}) {
      const box = createSecretBox({ current: key, previous: [] })
      const records = createAccountFiles(join(folder, 'accounts'))
      const store = createAccountStore({ records, box, state })
      const problems: string[] = []
      const events: AccountEvent[] = []
      const people = await createPersonServers(configs, {
        store,
        page: accountsPage(GATEWAY_URL),
        cacheFolder: join(folder, 'manifests'),
        idTokenOf: createIdTokens(state).find,
        onProblem: (message) => problems.push(message),
        upstream: {},
        ...limits,
      })
      const connect = createConnectAccounts({
        store,
        box,
        state,
        redirectUrl: callbackUrl(GATEWAY_URL),
        serverNamed: (name) => configs.find((config) => config.name === name),
      })
      const api = createAccountsApi({
        url: GATEWAY_URL,
        store,
        connect,
        servers: () => configs,
        mayUse,
        personServers: people,
        signedIn: async () => signedIn,
        begin: async (event) => async (error) => {
          if (error === undefined) events.push(event)
        },
      })
      const replica = { store, people, api, events, problems, close: people.close }
      replicas.push(replica)
      return replica
    },
    async close() {
      await Promise.all(replicas.map((replica) => replica.close()))
      // a token that is being renewed is still stored
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

/** Sends a request to the API as a person. */
export async function ask(
  { api }: Replica,
  who: Person,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown; cookie: string | null }> {
  const url = new URL(path, GATEWAY_URL)
  const response = (await api(
    new Request(url, {
      method,
      headers: { origin: GATEWAY_URL, 'sec-fetch-site': 'same-origin', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
    url,
    { person: who },
  ))!
  const text = await response.text()
  return {
    status: response.status,
    body: text === '' ? undefined : JSON.parse(text),
    cookie: response.headers.get('set-cookie'),
  }
}

/** Starts to connect an account: what the browser has afterwards. */
export async function startConnect(
  replica: Replica,
  who: Person,
  server: string,
): Promise<{ url: URL; cookie: string }> {
  const { status, body, cookie } = await ask(
    replica,
    who,
    'POST',
    `/api/accounts/${server}/connect`,
  )
  if (status !== 200) throw new Error(JSON.stringify(body))
  return { url: new URL((body as { url: string }).url), cookie: cookie!.split(';')[0]! }
}

/** Signs in to the authorization server as `login`. Resolves to where it redirects the browser. */
export async function signInAs(login: string, url: URL): Promise<string> {
  url.searchParams.set('login', login)
  const response = await fetch(url, { redirect: 'manual' })
  return response.headers.get('location')!
}

/** Follows the redirect of an authorization server. */
export async function callback({ api }: Replica, url: string, cookie = ''): Promise<Response> {
  const response = await api(new Request(url, { headers: { cookie } }), new URL(url), {
    person: NOBODY,
  })
  return response!
}

/** Connects an account of a person, who is `login` there. */
export async function connectAccount(
  replica: Replica,
  who: Person,
  server: string,
  login: string,
): Promise<Response> {
  const { url, cookie } = await startConnect(replica, who, server)
  const back = await signInAs(login, url)
  return callback(replica, back, cookie)
}
