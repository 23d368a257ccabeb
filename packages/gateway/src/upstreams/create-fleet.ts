import { isDeepStrictEqual } from 'node:util'
import type { ServerConfig } from '../config/gateway-config.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import { fingerprint } from '../system/fingerprint.ts'
import { createSerialQueue } from '../system/serial-queue.ts'
import { createUpstream, type UpstreamOptions } from './create-upstream.ts'
import type { ManifestCache } from './manifest-cache.ts'
import { misconfiguredUpstream } from './misconfigured-upstream.ts'
import { createStartQueue } from './start-queue.ts'
import type { Upstream } from './upstream.ts'

export interface FleetOptions
  extends Pick<
    UpstreamOptions,
    'aroundRequest' | 'authFor' | 'client' | 'clientCapabilities' | 'now' | 'random' | 'secrets'
  > {
  /** Caches manifests. Without it, every server starts immediately. */
  readonly cache?: ManifestCache
  /** Chooses the servers to create, also when the configuration changes. @default all */
  readonly select?: (configs: readonly ServerConfig[]) => readonly ServerConfig[]
  /** Starts every server immediately, even if its tools are cached. @default false */
  readonly eager?: boolean
  /** `members` if the server was added or removed; see `UpstreamOptions.onChange` for the others. */
  readonly onChange?: (server: string, what: 'tools' | 'status' | 'members') => void
  readonly onNotification?: (server: string, method: string, params: JsonObject) => void
  readonly onServerRequest?: (
    server: string,
    method: string,
    params: JsonObject,
    signal: AbortSignal,
  ) => Promise<JsonObject>
}

/** All servers behind the gateway. */
export interface Fleet {
  /** By name, in the order of the configuration, without disabled servers. */
  readonly upstreams: ReadonlyMap<string, Upstream>
  /** Adds, removes and restarts only the servers that changed. Resolves when old servers have ended. */
  apply(configs: readonly ServerConfig[]): Promise<void>
  /**
   * Ends a server and starts it again. Resolves when it has connected or failed; to false if there is
   * no such server.
   */
  restart(name: string): Promise<boolean>
  /** Closes every server. Never rejects. */
  close(): Promise<void>
}

interface Member {
  readonly config: ServerConfig
  readonly upstream: Upstream
}

/** Creates an upstream for every server, without waiting for connections. */
export async function createFleet(
  configs: readonly ServerConfig[],
  options: FleetOptions = {},
): Promise<Fleet> {
  const { cache, eager = false, onChange = () => {}, select = (all) => all } = options
  let members = new Map<string, Member>()
  let upstreams = new Map<string, Upstream>()
  const changes = createSerialQueue()
  let closed = false
  const writes = new Set<Promise<void>>()
  const startQueue = createStartQueue()

  /** Lets `close` wait for a write. */
  function track(write: Promise<void> | undefined): void {
    const writing = write?.finally(() => writes.delete(writing!))
    if (writing) writes.add(writing)
  }

  async function create(config: ServerConfig): Promise<Upstream> {
    const { name, problems } = config
    if (problems) return misconfiguredUpstream(name, problems)
    const manifest = await cache?.read(name, fingerprint(config.connection))
    const { onNotification, onServerRequest, onChange: _, ...shared } = options
    return createUpstream(config, {
      ...shared,
      startQueue,
      manifest,
      onManifest: (next) => track(cache?.write(name, next)),
      onConfirmed: () => track(cache?.confirm(name)),
      onChange: (what) => {
        if (upstreams.get(name)) onChange(name, what)
      },
      onNotification: (method, params) => onNotification?.(name, method, params),
      ...(onServerRequest && {
        onServerRequest: (method, params, signal) => onServerRequest(name, method, params, signal),
      }),
    })
  }

  async function change(next: readonly ServerConfig[], restarted?: string): Promise<void> {
    if (closed) return
    const before = members
    const wanted = next.filter((config) => !config.disabled)
    const created: Upstream[] = []
    const entries = await Promise.all(
      wanted.map(async (config) => {
        const member = before.get(config.name)
        if (member && isSameServer(member.config, config) && config.name !== restarted) {
          updateLimits(config, member)
          return [config.name, { ...member, config }] as const
        }
        const upstream = await create(config)
        created.push(upstream)
        return [config.name, { config, upstream }] as const
      }),
    )
    members = new Map(entries)
    upstreams = new Map(entries.map(([name, { upstream }]) => [name, upstream]))
    const removed = [...before].filter(
      ([name, old]) => members.get(name)?.upstream !== old.upstream,
    )
    for (const name of new Set([
      ...removed.map(([each]) => each),
      ...created.map((each) => each.name),
    ])) {
      onChange(name, 'members')
    }
    // the new server may need a resource that the old one still holds, such as a port or a lock
    await Promise.all(removed.map(([, { upstream }]) => upstream.close()))
    for (const upstream of created) {
      if (eager || upstream.tools.length === 0) void upstream.connect()
    }
  }

  /** Applies new limits to a running server. Other settings do not concern the connection. */
  function updateLimits({ limits }: ServerConfig, { config, upstream }: Member): void {
    if (isDeepStrictEqual(limits, config.limits)) return
    upstream.setLimits(limits)
    // it may have failed because of a short timeout
    if (upstream.status.state === 'failed') void upstream.connect()
  }

  await change(select(configs))
  return {
    get upstreams() {
      return upstreams
    },
    apply: (next) => changes.run(() => change(select(next))),
    async restart(name) {
      await changes.run(async () => {
        if (!members.has(name)) return
        const configs = [...members.values()].map(({ config }) => config)
        await change(configs, name)
      })
      const upstream = upstreams.get(name)
      await upstream?.connect()
      return upstream !== undefined
    },
    async close() {
      closed = true
      await changes.idle()
      await Promise.all([...upstreams.values()].map((upstream) => upstream.close()))
      await Promise.all(writes)
    },
  }
}

/** Whether a running server can be kept. */
function isSameServer(before: ServerConfig, now: ServerConfig): boolean {
  return (
    isDeepStrictEqual(before.connection, now.connection) &&
    isDeepStrictEqual(before.problems, now.problems)
  )
}
