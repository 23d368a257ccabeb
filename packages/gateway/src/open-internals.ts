import { join } from 'node:path'
import type { Learning } from 'toolsearch/learning'
import { type OpenAccess, openAccess } from './access/open-access.ts'
import { isPersonal } from './accounts/account-servers.ts'
import { followAccounts } from './accounts/follow-accounts.ts'
import { localServers } from './accounts/local-servers.ts'
import type { Accounts } from './accounts/open-accounts.ts'
import { ConfigError } from './config/config-error.ts'
import { formatProblem } from './config/config-problem.ts'
import type { GatewayConfig } from './config/gateway-config.ts'
import { maskedReport } from './config/masked-report.ts'
import type { GivenConfig } from './config/read-given-config.ts'
import { LOCAL_SKILLS } from './config/read-skill-folders.ts'
import { createSecretMask } from './config/secret-mask.ts'
import { configSecretValues } from './config/secret-values.ts'
import { type ApiKeys, createApiKeys } from './identity/api-keys.ts'
import type { FollowingIdentity } from './identity/follow-identity.ts'
import { signedInPerson } from './identity/signed-in-person.ts'
import { type Approvals, createApprovals } from './offering/approvals/approvals.ts'
import { createSkillTexts } from './offering/approvals/skill-texts.ts'
import { createGateway, type Gateway, type GatewayOptions } from './offering/gateway.ts'
import { offerSkills } from './offering/offer-skills.ts'
import { type OpenRanker, openRanker } from './offering/open-ranker.ts'
import type { UpstreamSet } from './offering/upstream-set.ts'
import type { Operations } from './open-operations.ts'
import { openRecords } from './open-records.ts'
import type { JsonObject } from './protocol/json-object.ts'
import type { Records } from './records.ts'
import { createSignIns } from './sign-in/sign-ins.ts'
import { openReplicas } from './state/open-replicas.ts'
import { openSharedState } from './state/open-shared-state.ts'
import type { ReplicaCalls } from './state/replica-calls.ts'
import type { SharedState } from './state/shared-state.ts'
import { createEmitter } from './system/emitter.ts'
import type { Report } from './system/report.ts'
import { tuneGarbageCollection } from './system/tune-garbage-collection.ts'
import { usableFolder } from './system/usable-folder.ts'
import { version } from './system/version.ts'
import { wantsTelemetry } from './telemetry/wants-telemetry.ts'
import { createFleet, type Fleet } from './upstreams/create-fleet.ts'
import type { UpstreamOptions } from './upstreams/create-upstream.ts'
import { createManifestCache } from './upstreams/manifest-cache.ts'
import { openSkillFolders, type SkillFolders } from './upstreams/skill-folders.ts'
import type { Upstream } from './upstreams/upstream.ts'

/** The parts of an open gateway, for the command line and the inspector. Not part of the public API. */
export interface GatewayInternals {
  /** The configuration file. For a configuration object: `toolsearch.json` in the working directory. */
  readonly file: string
  readonly config: GatewayConfig
  readonly fleet: Fleet
  /** The skills on this machine. */
  readonly skillFolders: SkillFolders
  readonly servers: UpstreamSet
  readonly gateway: Gateway
  readonly approvals: Approvals
  /** What searches learn from use. Undefined if learning is off. */
  readonly learning: Learning | undefined
  readonly ranker: OpenRanker
  /** What is stored in files, or in PostgreSQL. */
  readonly records: Records
  /** What all replicas share. */
  readonly state: SharedState
  /** The other replicas, if there can be some. */
  readonly replicas: ReplicaCalls | undefined
  /** Who sends a request over HTTP. Resolves to undefined without `identity` in the configuration. */
  readonly identity: () => Promise<FollowingIdentity | undefined>
  /** Who may use what, by the rules and policies now. */
  readonly access: OpenAccess
  /** People's own accounts. Undefined while no server needs them. */
  readonly accounts: () => Accounts | undefined
  /** Undefined if nothing is stored. */
  readonly apiKeys: ApiKeys | undefined
  /** Telemetry, audit and limits. Opens them at the first call; undefined if none is configured. */
  readonly operations: () => Promise<Operations | undefined>
}

export interface OpenInternalsOptions extends Required<Pick<GatewayOptions, 'audience'>> {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cacheFolder: string | false
  readonly stateFolder: string | false
  readonly onWarning: Report
  /** Whether tools will be searched. */
  readonly isSearched: boolean
  /** Whether people sign in to the gateway and use servers with their own credentials. */
  readonly hasPeople: boolean
  /** Whether to open even if PostgreSQL cannot be used. Nothing is stored then. */
  readonly areRecordsOptional: boolean
}

const OLD_POLICIES = 'The Cedar policies before this change stay in effect.'

/** Declared to every server, because legacy servers connect before a client is known. */
const CLIENT_CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} }

/** The ranking that takes the least time to set up. */
const NO_SEARCH = { ranking: 'words', translateQueries: false } as const

/**
 * Opens the parts of a gateway and connects them with each other.
 *
 * @throws ConfigError if policy files are invalid
 */
export async function openInternals(
  source: GivenConfig,
  options: OpenInternalsOptions,
): Promise<{ readonly internals: GatewayInternals; close(): Promise<void> }> {
  const { env, audience, isSearched, hasPeople } = options
  const secrets = env.TOOLSEARCH_TOKEN ? [env.TOOLSEARCH_TOKEN] : []
  const mask = createSecretMask([...secrets, ...configSecretValues(source.config)])
  const onWarning = maskedReport(options.onWarning, mask)
  const access = await openAccess(source.config, {
    onProblems(problems) {
      if (problems.length === 0) onWarning('The Cedar policies are valid again.', 'info')
      for (const problem of problems) onWarning(`${formatProblem(problem)}\n${OLD_POLICIES}`)
    },
  })
  if (access.problems.length > 0) {
    access.close()
    throw new ConfigError(access.problems.map(formatProblem).join('\n'), access.problems)
  }
  const cacheFolder = await usableFolder(options.cacheFolder, onWarning)
  const stateFolder =
    options.stateFolder === options.cacheFolder
      ? cacheFolder
      : await usableFolder(options.stateFolder, onWarning)
  const changes = createEmitter<[server: string]>()
  const notifications = createEmitter<[server: string, method: string, params: JsonObject]>()
  const state = await openSharedState(source.config.state, { onWarning })
  const replicas = await openReplicas(state, source.config.state)
  const opening = openRecords(source.config, {
    file: source.file,
    stateFolder,
    state,
    onWarning,
    isOptional: options.areRecordsOptional,
  })
  const records = await opening.catch(async (error: unknown) => {
    access.close()
    await replicas?.close()
    await state.close()
    throw error
  })
  const signIns = createSignIns(records.signIns)
  let telemetry: Operations['telemetry']
  const aroundRequest: UpstreamOptions['aroundRequest'] = wantsTelemetry(source.config.telemetry)
    ? (request, send) => telemetry?.aroundRequest(request, send) ?? send()
    : undefined
  const upstream = {
    clientCapabilities: CLIENT_CAPABILITIES,
    secrets,
    ...(aroundRequest && { aroundRequest }),
  }
  const cache =
    cacheFolder === false ? undefined : createManifestCache(join(cacheFolder, 'manifests'))
  const texts = createSkillTexts(records.skillTexts)
  const approvals = await createApprovals(records.approvals)
  const fleet = await createFleet(source.config.servers, {
    ...upstream,
    select: (all) =>
      hasPeople ? all.filter((config) => !isPersonal(config)) : localServers(all, env),
    authFor: signIns.authFor,
    ...(cache && { cache }),
    onChange: (server) => changes.emit(server),
    onNotification: notifications.emit,
  })
  const remember = ({ name, tools, skills }: Pick<Upstream, 'name' | 'tools' | 'skills'>) =>
    approvals.remember(name, [...tools, ...offerSkills(name, skills).map(({ tool }) => tool)])
  // Now, while they still have the cached tools: servers already connect, and the history needs what their
  // answers replace.
  for (const upstream of fleet.upstreams.values()) remember(upstream)
  const skillFolders = await openSkillFolders(source.config.skills, {
    onChange: () => changes.emit(LOCAL_SKILLS),
    onFile: texts.keep,
    cache,
  })
  remember({ name: LOCAL_SKILLS, tools: [], skills: skillFolders.earlier })
  const servers: UpstreamSet = {
    get upstreams() {
      // Copied only if there are folders: calls read it.
      return skillFolders.isConfigured
        ? new Map<string, Upstream>([...fleet.upstreams, [LOCAL_SKILLS, skillFolders]])
        : fleet.upstreams
    },
    subscribe: changes.subscribe,
    onNotification: notifications.subscribe,
  }
  const tune = () => tuneGarbageCollection(fleet.upstreams.values())
  servers.subscribe(tune)
  tune()
  const stopWatching = signIns.watch((server) => void reconnect(fleet, server))
  const ranker = await openRanker(isSearched ? source.config : NO_SEARCH, {
    cacheDir: cacheFolder !== false && join(cacheFolder, 'vectors'),
    warn: onWarning,
  })
  const accounts = followAccounts({
    config: () => gateway.config,
    records: records.accounts,
    shared: records.postgres,
    state,
    stateFolder,
    ...(cacheFolder !== false && { cacheFolder: join(cacheFolder, 'manifests', 'people') }),
    upstream,
    mayUse: (person, server) => access.rightsOf({ person }).reaches(server),
    async signedIn(request) {
      const opened = await identity()
      return opened && signedInPerson(opened, request)
    },
    async begin({ person: id, server, action }) {
      const person = { id, groups: [] }
      const opened = await operations()
      const end = await opened?.actions?.begin({ person, server, action: `account.${action}` })
      return async (error) => end?.(error === undefined ? {} : { error })
    },
    onWarning,
  })
  const learning = await openLearning(source.config.learning, { records, onWarning })
  const stopForgetting = learning && records.postgres?.onForgotten(learning.refresh)
  const gateway = createGateway(source.config, servers, {
    state,
    learning,
    approvals,
    texts,
    access: {
      rightsOf: access.rightsOf,
      onChanged: access.onChanged,
      configure(config) {
        access.configure(config).catch((error: unknown) => onWarning(String(error)))
      },
    },
    audience,
    ranker: ranker.create,
    personServers: { serversFor: (person) => accounts.current?.people.serversFor(person) },
  })
  const stopApprovals = records.approvals.onChange(async () => {
    await approvals.refresh()
    gateway.applyApprovals()
    const outdated = new Set<string>()
    // A person may have accepted a definition that this process has not read yet: servers don't
    // have to announce changes.
    for (const { server, kind } of gateway.waitingTools()) {
      if (kind === 'changed') outdated.add(server)
    }
    for (const server of outdated) void fleet.upstreams.get(server)?.refreshTools()
  })
  const apiKeys = records.keys && createApiKeys(records.keys)
  let openIdentity: Promise<FollowingIdentity> | undefined
  async function identity(): Promise<FollowingIdentity | undefined> {
    const { config } = gateway
    if (config.identity === undefined) return undefined
    const { followIdentity } = await import('./identity/follow-identity.ts')
    openIdentity ??= followIdentity(config.identity, { keys: apiKeys, state, onWarning })
    return openIdentity
  }
  let openedOperations: Promise<Operations> | undefined
  async function operations(): Promise<Operations | undefined> {
    const { audit, rateLimits, telemetry: exported } = source.config
    if (!audit && rateLimits.length === 0 && !wantsTelemetry(exported)) return undefined
    const { openOperations } = await import('./open-operations.ts')
    openedOperations ??= openOperations({
      config: () => gateway.config,
      state,
      file: source.file,
      stateFolder,
      postgresAudit: records.postgres?.audit,
      mask: mask.text,
      maskFor: (person) => accounts.current?.people.maskFor(person),
      version,
      onWarning,
    })
    const opened = await openedOperations
    telemetry = opened.telemetry
    return opened
  }
  gateway.onConfigured(() => {
    if (hasPeople) accounts.apply().catch((error: Error) => onWarning(error.message))
  })
  let latestLearning = source.config.learning
  gateway.onConfigured(() => {
    const wanted = gateway.config.learning
    const isNew = wanted !== latestLearning
    latestLearning = wanted
    if (isNew && wanted !== 'off' && wanted !== source.config.learning) {
      onWarning(`"learning" is now "${wanted}". Restart the gateway to apply this.`)
    }
  })
  gateway.onConfigured(() => {
    for (const secret of configSecretValues(gateway.config)) mask.add(secret)
  })
  gateway.onConfigured(() => void skillFolders.configure(gateway.config.skills))
  gateway.onConfigured(async () => {
    const opened = await openIdentity
    await opened?.configure(gateway.config.identity)
  })
  async function close(): Promise<void> {
    const opened = await openedOperations?.catch(() => undefined)
    await opened?.close()
    gateway.close()
    stopWatching()
    stopApprovals()
    stopForgetting?.()
    access.close()
    const saved = approvals.saved().catch((error: Error) => {
      onWarning(`Decisions about tools could not be stored. ${error.message}`, 'error')
    })
    await accounts.close()
    await Promise.all([
      fleet.close(),
      skillFolders.close(),
      texts.settled(),
      saved,
      ranker.close(),
      apiKeys?.close(),
    ])
    await replicas?.close()
    await learning?.settled()
    await Promise.all([records.close(), state.close()])
  }
  try {
    if (hasPeople) await accounts.apply()
  } catch (error) {
    await close()
    throw error
  }
  return {
    internals: {
      ...source,
      fleet,
      skillFolders,
      servers,
      gateway,
      approvals,
      learning,
      ranker,
      state,
      records,
      replicas,
      identity,
      apiKeys,
      access,
      operations,
      accounts: () => accounts.current,
    },
    close,
  }
}

/** What searches learn from use. Most gateways do not learn, so the module is loaded only if it is needed. */
async function openLearning(
  scope: GatewayConfig['learning'],
  { records, onWarning }: { readonly records: Records; readonly onWarning: Report },
): Promise<Learning | undefined> {
  if (scope === 'off') return undefined
  const { createLearning } = await import('toolsearch/learning')
  const store = await records.openUses()
  const learning = createLearning({ scope, onWarning, ...(store && { store }) })
  return {
    ...learning,
    async forget(filter) {
      const forgotten = await learning.forget(filter)
      await records.postgres?.announceForgotten()
      return forgotten
    },
  }
}

/** Connects to a server after a person has signed in to it. */
async function reconnect({ upstreams }: Fleet, server: string): Promise<void> {
  const upstream = upstreams.get(server)
  // A connection attempt may have started before the sign-in; wait for its result.
  if (upstream?.status.state === 'connecting') await upstream.connect()
  if (upstream?.status.state === 'needs-sign-in') await upstream.connect()
}
