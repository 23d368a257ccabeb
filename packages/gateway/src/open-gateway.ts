import { join } from 'node:path'
import { hybridRanker } from 'toolsearch'
import { loadStaticEmbedder } from 'toolsearch-semantics'
import type { CommandCall } from './cli/command.ts'
import { findConfig } from './cli/find-config.ts'
import { cacheFolder, signInFolder, stateFolder } from './cli/kept-folders.ts'
import { plain } from './cli/plain.ts'
import type { GatewayConfig } from './config/gateway-config.ts'
import { createApprovalStore } from './offering/approvals/approval-store.ts'
import { type Approvals, createApprovals } from './offering/approvals/approvals.ts'
import { createGateway, type Gateway, type GatewayOptions } from './offering/gateway.ts'
import type { UpstreamSet } from './offering/upstream-set.ts'
import { createSignInStore } from './sign-in/sign-in-store.ts'
import { createSignIns } from './sign-in/sign-ins.ts'
import { fingerprint } from './system/fingerprint.ts'
import { tuneGarbageCollection } from './tune-garbage-collection.ts'
import { createFleet, type Fleet } from './upstreams/create-fleet.ts'
import { createManifestCache } from './upstreams/manifest-cache.ts'

export interface OpenGateway {
  readonly file: string
  readonly config: GatewayConfig
  readonly fleet: Fleet
  readonly servers: UpstreamSet
  readonly gateway: Gateway
  readonly approvals: Approvals
  /** Ends servers and connections. */
  close(): Promise<void>
}

// servers of the older era want to know before there is a caller; who cannot be asked declines
const CLIENT_CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} }

/** Puts the gateway of a configuration together. Servers connect while the caller goes on. */
export async function openGateway(
  call: CommandCall,
  audience: NonNullable<GatewayOptions['audience']>,
): Promise<OpenGateway> {
  const { file, config } = await findConfig(call)
  const listeners = new Set<(server: string) => void>()
  const hearers = new Set<Parameters<UpstreamSet['onNotification']>[0]>()
  const signIns = createSignIns(createSignInStore(signInFolder(call.env)))
  const fleet = await createFleet(config.servers, {
    authFor: signIns.authFor,
    cache: createManifestCache(join(cacheFolder(call.env), 'manifests')),
    clientCapabilities: CLIENT_CAPABILITIES,
    onChange: (server) => {
      for (const listener of listeners) listener(server)
    },
    onNotification: (...news) => {
      for (const hearer of hearers) hearer(...news)
    },
  })
  const servers: UpstreamSet = {
    get upstreams() {
      return fleet.upstreams
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onNotification(hearer) {
      hearers.add(hearer)
      return () => hearers.delete(hearer)
    },
  }
  const weigh = () => tuneGarbageCollection(fleet.upstreams.values())
  servers.subscribe(weigh)
  weigh()
  const stopWatching = signIns.watch((server) => void tryAgain(fleet, server))
  const kept = join(stateFolder(call.env), 'approvals', `${fingerprint(file)}.json`)
  const approvals = await createApprovals(createApprovalStore(kept))
  const gateway = createGateway(config, servers, {
    approvals,
    audience,
    ...(config.ranking === 'words-and-meaning' && {
      ranker: () => hybridRanker({ vectors: loadStaticEmbedder() }),
    }),
  })
  return {
    file,
    config,
    fleet,
    servers,
    gateway,
    approvals,
    async close() {
      gateway.close()
      stopWatching()
      await Promise.all([fleet.close(), approvals.saved()])
    },
  }
}

/** Somebody has signed in to a server that was waiting for it. */
async function tryAgain({ upstreams }: Fleet, server: string): Promise<void> {
  const upstream = upstreams.get(server)
  // an attempt that is under way may have begun before
  if (upstream?.status.state === 'connecting') await upstream.connect()
  if (upstream?.status.state === 'needs-sign-in') await upstream.connect()
}

/** Waits until every server has answered or failed, and says how it goes. */
export async function connectAll(
  { fleet }: OpenGateway,
  say: (text: string) => void,
): Promise<void> {
  const upstreams = [...fleet.upstreams.values()]
  let left = upstreams.length
  await Promise.all(
    upstreams.map(async (upstream) => {
      await upstream.connect()
      left -= 1
      const { state, detail } = upstream.status
      const what =
        state === 'ready' ? `${upstream.tools.length} tools` : `${state}: ${detail ?? ''}`
      say(plain(`${upstream.name}: ${what}${left > 0 ? ` (${left} to go)` : ''}`))
    }),
  )
}
