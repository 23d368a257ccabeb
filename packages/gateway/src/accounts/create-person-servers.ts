import { isDeepStrictEqual } from 'node:util'
import type { ServerConfig } from '../config/gateway-config.ts'
import { createSecretMask } from '../config/secret-mask.ts'
import type { Person } from '../identity/person.ts'
import type { PersonServers } from '../offering/person-servers.ts'
import type { UpstreamSet } from '../offering/upstream-set.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import { createEmitter, type Emitter } from '../system/emitter.ts'
import { misconfiguredUpstream } from '../upstreams/misconfigured-upstream.ts'
import { createStartQueue } from '../upstreams/start-queue.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import { accountKey, isPersonal } from './account-servers.ts'
import type { AccountStore } from './account-store.ts'
import { createLeasePool } from './lease-pool.ts'
import { type OpenAccountOptions, openAccount } from './open-account.ts'
import { createPersonManifests } from './person-manifests.ts'
import { createPersonUpstream, type PersonUpstream } from './person-upstream.ts'
import { createSharedLists } from './shared-lists.ts'

export interface PersonServersOptions
  extends Pick<OpenAccountOptions, 'page' | 'idTokenOf' | 'onProblem' | 'upstream'> {
  readonly store: AccountStore
  /** Where to cache what each person's servers offer. Without it, they connect to find out. */
  readonly cacheFolder?: string | undefined
  /** How many connections and processes may exist for all people together. @default 1_000 */
  readonly maxOpen?: number
  /** How many people are remembered. The ones who were away longest are forgotten first. @default 10_000 */
  readonly maxPeople?: number
  /** How long a connection stays open without a request. @default 10 minutes */
  readonly idleMs?: number
}

/** The servers that run with the credentials of single people. */
export interface ManagedPersonServers extends PersonServers {
  /** Applies a changed configuration. Resolves when old connections have ended. */
  apply(configs: readonly ServerConfig[]): Promise<void>
  /** Masks a person's own credentials in a text. Undefined if there can be none. Rejects if they cannot be read. */
  maskFor(person: Person): Promise<(text: string) => string> | undefined
  /** The number of open connections and processes. */
  readonly open: number
  /** Closes every connection. Never rejects. */
  close(): Promise<void>
}

/** A person who has used the gateway. */
interface Member {
  readonly id: string
  /** The access token of the latest request, for token exchange. */
  token: string | undefined
  upstreams: Map<string, Upstream>
  /** Masks the person's credentials. Undefined until it is needed. */
  mask?: Promise<(text: string) => string> | undefined
  readonly set: UpstreamSet
  readonly changes: Emitter<[server: string]>
  readonly notifications: Emitter<[server: string, method: string, params: JsonObject]>
}

/**
 * Creates an upstream for each person and server. Each has a connection or a process of its own, with
 * that person's credentials only.
 */
export async function createPersonServers(
  configs: readonly ServerConfig[],
  options: PersonServersOptions,
): Promise<ManagedPersonServers> {
  const { store, maxOpen = 1_000, maxPeople = 10_000, idleMs = 10 * 60_000 } = options
  const pool = createLeasePool(maxOpen)
  const lists = createSharedLists()
  const startQueue = createStartQueue()
  const manifests = createPersonManifests(options.cacheFolder)
  /** Those who were away longest first. */
  const members = new Map<string, Member>()
  /** What runs without anybody waiting for it. */
  const background = new Set<Promise<void>>()
  let servers = personal(configs)
  let isClosed = false

  function inBackground(task: Promise<void>): void {
    const tracked = task.finally(() => background.delete(tracked))
    background.add(tracked)
  }

  function createOwn(member: Member, config: ServerConfig): Upstream {
    const { name, problems } = config
    if (problems) return misconfiguredUpstream(name, problems)
    const emit = () => {
      if (member.upstreams.get(name) === own) member.changes.emit(name)
    }
    const key = accountKey(member.id, config)
    const currentGeneration = async () => (await store.read(key))?.generation
    const own: PersonUpstream = createPersonUpstream({
      config,
      pool,
      idleMs,
      currentGeneration,
      open: () =>
        openAccount(config, {
          ...options,
          person: member.id,
          subjectToken: () => member.token,
          manifests,
          upstream: {
            ...options.upstream,
            startQueue,
            onChange: emit,
            onNotification: (method, params) => member.notifications.emit(name, method, params),
          },
        }),
      readKnown: async () => manifests.known(member.id, config, await currentGeneration()),
      forgetKnown: () => manifests.forget(member.id, config),
      share: (list) => lists.share(name, list),
      onStatus: emit,
    })
    return own
  }

  function createMember({ id, token }: Person): Member {
    const changes = createEmitter<[string]>()
    const notifications = createEmitter<[string, string, JsonObject]>()
    const member: Member = {
      id,
      token,
      upstreams: new Map(),
      changes,
      notifications,
      set: {
        get upstreams() {
          return member.upstreams
        },
        subscribe: changes.subscribe,
        onNotification: notifications.subscribe,
      },
    }
    member.upstreams = new Map(servers.map((each) => [each.name, createOwn(member, each)]))
    for (const upstream of member.upstreams.values()) inBackground(prepare(upstream))
    return member
  }

  /** Forgets people who have no open connection, if there are too many. */
  function forgetSome(): void {
    for (const [id, { upstreams }] of members) {
      if (members.size <= maxPeople) return
      const isBusy = [...upstreams.values()].some(
        ({ status: { state } }) => state === 'ready' || state === 'connecting',
      )
      if (isBusy) continue
      members.delete(id)
      for (const upstream of upstreams.values()) inBackground(upstream.close())
    }
  }

  const stopListening = await store.onChange((change) => {
    for (const member of members.values()) {
      if (change && change.person !== member.id) continue
      member.mask = undefined
      for (const [name, upstream] of member.upstreams) {
        if (!change || change.server === name) inBackground(check(upstream))
      }
    }
  })

  async function readMask(id: string): Promise<(text: string) => string> {
    const accounts = await store.list(id)
    const secrets = accounts.flatMap(({ account: { values, signIn } }) => [
      ...Object.values(values ?? {}),
      signIn?.tokens?.access_token ?? '',
      signIn?.tokens?.refresh_token ?? '',
    ])
    return createSecretMask(secrets).text
  }

  /** The person, who is now the one who was here most recently. */
  function memberFor(person: Person): Member {
    const member = members.get(person.id) ?? createMember(person)
    // requests of the page have none
    if (person.token !== undefined) member.token = person.token
    members.delete(person.id)
    members.set(person.id, member)
    forgetSome()
    return member
  }

  async function change(member: Member, next: readonly ServerConfig[]): Promise<void> {
    const before = member.upstreams
    const kept = next.map((config) => {
      const old = servers.find(({ name }) => name === config.name)
      const isSame = old !== undefined && isSameServer(old, config)
      if (isSame) before.get(config.name)?.setLimits(config.limits)
      const upstream = (isSame && before.get(config.name)) || createOwn(member, config)
      return [config.name, upstream] as const
    })
    member.upstreams = new Map(kept)
    const removed = [...before].filter(([name, each]) => member.upstreams.get(name) !== each)
    const added = kept.filter(([name, each]) => before.get(name) !== each)
    for (const [name] of [...removed, ...added]) member.changes.emit(name)
    await Promise.all(removed.map(([, upstream]) => upstream.close()))
    for (const [, upstream] of added) inBackground(prepare(upstream))
  }

  return {
    serversFor(person) {
      return servers.length === 0 || isClosed ? undefined : memberFor(person).set
    },
    maskFor(person) {
      if (servers.length === 0 || isClosed) return undefined
      const member = memberFor(person)
      if (member.mask) return member.mask
      const mask = readMask(person.id)
      member.mask = mask
      mask.catch(() => {
        if (member.mask === mask) member.mask = undefined
      })
      return mask
    },
    async apply(next) {
      const wanted = personal(next)
      const changed = [...members.values()].map((member) => change(member, wanted))
      servers = wanted
      await Promise.all(changed)
    },
    get open() {
      return pool.size
    },
    async close() {
      isClosed = true
      stopListening()
      const all = [...members.values()].flatMap(({ upstreams }) => [...upstreams.values()])
      members.clear()
      await Promise.all(all.map((upstream) => upstream.close()))
      await Promise.all(background)
      await manifests.saved()
    },
  }
}

function personal(configs: readonly ServerConfig[]): readonly ServerConfig[] {
  return configs.filter(isPersonal)
}

function isSameServer(before: ServerConfig, now: ServerConfig): boolean {
  return (
    isDeepStrictEqual(before.connection, now.connection) &&
    isDeepStrictEqual(before.credentials, now.credentials) &&
    isDeepStrictEqual(before.problems, now.problems)
  )
}

function prepare(upstream: Upstream | PersonUpstream): Promise<void> {
  return 'prepare' in upstream ? upstream.prepare() : Promise.resolve()
}

function check(upstream: Upstream | PersonUpstream): Promise<void> {
  return 'check' in upstream ? upstream.check() : Promise.resolve()
}
