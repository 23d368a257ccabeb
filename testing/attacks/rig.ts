import type { AuditEntry } from '../../packages/gateway/src/audit/audit-entry.ts'
import type { AuditFilter } from '../../packages/gateway/src/audit/audit-store.ts'
import { auditedIn } from '../../packages/gateway/src/cli/audited-gateway.fixtures.ts'
import type { CommandHere } from '../../packages/gateway/src/cli/run-here.fixtures.ts'
import { type Serving, serving, until } from '../../packages/gateway/src/cli/serving.fixtures.ts'
import { type Browser, createBrowser } from '../services/browser.ts'
import { freePort } from '../services/free-port.ts'
import { freshDatabase } from '../services/fresh-database.ts'
import {
  type IdentityProvider,
  startIdentityProvider,
} from '../services/start-identity-provider.ts'
import { type ProxyName, startProxy } from '../services/start-proxy.ts'
import { startRedis } from '../services/start-redis.ts'
import { type RecordingServer, startRecordingServer } from './recording-server.ts'
import { jsonIn, rpcRequest } from './rpc-request.ts'
import { type RawAnswer, sendRaw } from './send-raw.ts'

export interface RigOptions {
  /**
   * Entries of `mcpServers` next to `notes`, the recording server. Its own entry, as `notes`, adds settings to it.
   */
  readonly servers?: Readonly<Record<string, object>>
  /** Settings under `toolsearch`, in addition to identity, audit and `mode: "passthrough"`. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** Settings under `toolsearch.identity`. */
  readonly identity?: Readonly<Record<string, unknown>>
  /** Whether a real identity provider runs: people sign in as `token(…)` then. @default false */
  readonly hasProvider?: boolean
  /** More than one share a Redis and a PostgreSQL, which take seconds to start: for deep tests. @default 1 */
  readonly replicas?: number
  /** Puts a proxy from `deploy/` in front of the first replica, for deep tests. */
  readonly proxy?: ProxyName
}

/** A team gateway under attack: `toolsearch serve --http` with identity, audit, inspector and accounts. */
export interface Rig {
  /** The public address, without a path: that of the proxy or of the first replica. */
  readonly url: string
  /** The addresses of all replicas. */
  readonly urls: readonly string[]
  readonly notes: RecordingServer
  /** Only with `hasProvider`. */
  readonly provider: IdentityProvider
  /** The folder, the command line and the configuration file. */
  readonly served: Serving
  /** The running commands, with what they print. */
  readonly commands: readonly CommandHere[]
  /** The key of an administrator without limits. */
  readonly admin: string
  /** Creates an API key. `groups`, `role`, `allow`, `profiles`, as the API takes them. */
  key(name: string, about?: object): Promise<string>
  /** Signs an access token of a person at the provider. */
  token(sub: string, claims?: object): Promise<string>
  /** Signs in to the inspector at the provider. The browser has the cookie of the session then. */
  signIn(name: string): Promise<Browser>
  /** Sends a request. Without `as`, nobody sends it. */
  send(request: RigRequest): Promise<RigAnswer>
  /** Sends a JSON-RPC request of the protocol 2026-07-28. */
  rpc(method: string, params: object, from: RpcSender): Promise<RigAnswer>
  /** Calls a tool. The names of the recording server's tools are `notes__read` and `notes__write`. */
  call(name: string, args: object, from: RpcSender): Promise<RigAnswer>
  /** Sends bytes to the public address. @see sendRaw */
  sendRaw(text: string | Uint8Array, options?: { readonly endsAfter?: boolean }): Promise<RawAnswer>
  /** What the audit log has, the latest entry first. */
  audited(filter?: AuditFilter): Promise<readonly AuditEntry[]>
  /**
   * Changes settings under `toolsearch` while the gateway runs; without a value, removes them. Resolves once each replica
   * has applied or rejected them.
   */
  configure(settings: Readonly<Record<string, unknown>>): Promise<void>
  close(): Promise<void>
}

interface RigRequest {
  readonly path: string
  /** @default 'GET' */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** A text, or what is sent as JSON. */
  readonly body?: string | object
  /** A key or an access token. */
  readonly as?: string | undefined
  /** The number of the replica. @default the public address */
  readonly replica?: number
}

type RpcSender = Omit<RigRequest, 'path' | 'method' | 'body'> & {
  /** @default '/mcp' */
  readonly path?: string
}

interface RigAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The JSON in the answer or in its last event. Undefined if there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it expects
  readonly json: any
}

/** Starts a rig, with its servers connected. Close it in `afterAll`: the quick form takes about a second. */
export async function startRig(options: RigOptions = {}): Promise<Rig> {
  const { servers = {}, replicas = 1, hasProvider = false } = options
  const closers: (() => Promise<unknown>)[] = []
  const ports = await Promise.all(Array.from({ length: replicas }, freePort))
  const urls = ports.map((port) => `http://127.0.0.1:${port}`)
  const [first = ''] = urls
  const proxy =
    options.proxy && (await startProxy(options.proxy, await freePort(), new URL(first).host))
  const url = proxy?.url ?? first
  const page = {
    client_id: 'page',
    token_endpoint_auth_method: 'none',
    redirect_uris: [`${url}/sign-in/callback`],
  }
  const [notes, provider, state] = await Promise.all([
    startRecordingServer(),
    hasProvider ? startIdentityProvider({ clients: [page] }) : undefined,
    replicas > 1 ? sharedState(closers) : undefined,
  ])
  const config = {
    mcpServers: { ...servers, notes: { url: notes.url, ...servers.notes } },
    toolsearch: {
      mode: 'passthrough',
      ranking: 'words',
      identity: {
        url,
        ...(provider && {
          issuers: [{ issuer: provider.issuer, page: { clientId: page.client_id } }],
        }),
        administrators: ['admins'],
        ...options.identity,
      },
      audit: { to: 'file', arguments: 'redacted' },
      ...(state && { state }),
      ...options.settings,
    } as Record<string, unknown>,
  }
  const served = await serving(config)
  const { out } = await served.run('keys', 'create', 'rig', '--role', 'administrator', '--json')
  const { key: admin } = JSON.parse(out) as { key: string }
  const started = await Promise.all(ports.map((port) => served.http('--port', String(port))))

  async function send(request: RigRequest): Promise<RigAnswer> {
    const { path, method = 'GET', headers, body, as, replica } = request
    const response = await fetch(`${replica === undefined ? url : urls[replica]}${path}`, {
      method,
      headers: { ...(as !== undefined && { authorization: `Bearer ${as}` }), ...headers },
      body: typeof body === 'object' ? JSON.stringify(body) : (body ?? null),
      redirect: 'manual',
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: jsonIn(text) }
  }

  async function rpc(
    method: string,
    params: object,
    { path = '/mcp', headers, ...from }: RpcSender,
  ): Promise<RigAnswer> {
    const { headers: own, ...request } = rpcRequest(method, params)
    return send({ ...from, ...request, path, headers: { ...own, ...headers } })
  }

  await Promise.all(
    urls.map((each) =>
      until(
        () => fetch(`${each}/readyz`),
        ({ ok }) => ok,
      ),
    ),
  )
  return {
    url,
    urls,
    notes,
    provider: provider!,
    served,
    commands: started.map(({ command }) => command),
    admin,
    async key(name, about = {}) {
      const body = { name, ...about }
      const { json } = await send({ path: '/api/keys', method: 'POST', body, as: admin })
      if (typeof json?.secret !== 'string') throw new Error(JSON.stringify(json))
      return json.secret
    },
    token: (sub, claims = {}) => provider!.sign({ aud: url, sub, ...claims }),
    async signIn(login) {
      const browser = createBrowser()
      await browser.visit(`${url}/sign-in`, { login })
      return browser
    },
    send,
    rpc,
    call: (name, args, from) => rpc('tools/call', { name, arguments: args }, from),
    sendRaw: (...given) => sendRaw(url, ...given),
    audited: (filter = {}) => auditedIn(served, filter),
    async configure(settings) {
      // Unlike the command, the API needs no valid file.
      const path = '/api/audit?action=config.reload&limit=500'
      const reloads = async () => (await send({ path, as: admin })).json.entries.length
      const before = await reloads()
      const current = JSON.stringify(config)
      Object.assign(config.toolsearch, settings)
      if (JSON.stringify(config) === current) return
      await served.write(config)
      await until(reloads, (count) => count >= before + replicas)
    },
    async close() {
      await served.end()
      await Promise.all([notes.close(), provider?.close(), proxy?.close()])
      for (const close of closers) await close()
    },
  }
}

async function sharedState(closers: (() => Promise<unknown>)[]): Promise<object> {
  const [redis, postgres] = await Promise.all([startRedis(), freshDatabase()])
  closers.push(() => redis.close())
  return { redis: redis.url, postgres }
}
