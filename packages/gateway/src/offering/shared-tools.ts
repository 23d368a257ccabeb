import { isDeepStrictEqual } from 'node:util'
import type { ToolDefinition, ToolSearch } from 'toolsearch'
import type { GatewayConfig, ServerConfig } from '../config/gateway-config.ts'
import { sizeUpTo } from '../protocol/check-size.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import { timeSlices } from '../system/time-slices.ts'
import type { ApprovalState, Approvals } from './approvals/approvals.ts'
import { type HiddenTool, planOffer } from './offer-plan.ts'
import type { SetupProblem } from './setup-problem.ts'
import { createSetupProblems } from './setup-problems.ts'
import { createSyncedTools, type ToolOrigin } from './synced-tools.ts'
import type { UpstreamSet } from './upstream-set.ts'

/**
 * The tools of all servers under the names that agents see: what every view of the gateway is made
 * of. It knows nothing about callers.
 */
export interface SharedTools {
  readonly config: GatewayConfig
  /** Increases whenever a list of tools may have changed. */
  readonly version: number
  settings(server: string): ServerConfig | undefined
  nameOf(server: string, name: string): string
  /** Those of a server's tools that the configuration offers. Known without indexing them. */
  offered(server: string, tools: readonly McpTool[]): readonly ToolOrigin[]
  /** The definition under which the library finds a tool. */
  searchable(origin: ToolOrigin): ToolDefinition
  /** Adds withheld tools that a person has accepted since, in this process or another. */
  addAccepted(): Promise<void>
  /**
   * Indexes the tools of small servers that are still waiting to be indexed. Those of large servers are
   * indexed in the background.
   */
  indexAll(): void
  /**
   * Resolves when the tools of every server are indexed, or those of a given one. Does not wait for a server
   * whose earlier tools are indexed, unless it is given: servers may change their tools again and again.
   */
  indexed(server?: string): Promise<void>
  /** Undefined if no server has the tool. Also finds tools that are withheld from models. */
  origin(name: string): ToolOrigin | undefined
  /**
   * Makes a skill known that its server does not list, so that people can decide about it. Ignores skills
   * of a server that only one person has.
   */
  noteUnlisted(skill: ToolOrigin): void
  /** The tools that rules or invalid overrides hide from agents. */
  hiddenTools(): readonly HiddenTool[]
  /** Settings that match no tool, and tools that could not get the name they should have. */
  problems(): readonly SetupProblem[]
  approvalOf(origin: ToolOrigin): ApprovalState
  /** Whether models may not see or call a tool until a person approves it. */
  isWithheld(origin: ToolOrigin): boolean
  waitingTools(): WaitingTool[]
  /** Decides about a tool. Returns false if there is no such tool, or nothing to undo. */
  decide(name: string, decision: 'accept' | 'block' | 'undo'): boolean
  /** Reads what other processes have decided, and adds and removes tools accordingly. */
  refreshApprovals(): Promise<void>
  /** Adds and removes tools after another process has decided about them. */
  applyApprovals(): void
  configure(config: GatewayConfig): void
  onConfigured(listener: () => void): () => void
  /**
   * Runs the listener after `version` has increased.
   *
   * @param listener gets whether tools were added, changed or removed, and whether that was because of
   *   other settings
   */
  onChanged(listener: (hasNewTools: boolean, isConfigured: boolean) => void): () => void
  close(): void
}

/** A tool that needs a decision of a person, or that one has blocked. */
export interface WaitingTool {
  readonly name: string
  readonly server: string
  readonly kind: Exclude<ApprovalState, 'approved'>
}

/** Unlisted skills that people can decide about. */
const MAX_UNLISTED = 500
/** Servers with at least this many tools are indexed in the background. */
const LARGE_SERVER = 200
/** The tools as JSON, about. */
const LARGE_LIST = 500_000
/** Gives a client time to connect before indexing starts. */
const START_DELAY_MS = 250

export interface SharedToolsOptions {
  readonly toolSearch: ToolSearch
  readonly approvals: Approvals | undefined
  /** Tools that wait for approval are shown to a person and withheld from a model. */
  readonly audience: 'model' | 'person'
}

export function createSharedTools(
  initial: GatewayConfig,
  servers: UpstreamSet,
  { toolSearch, approvals, audience }: SharedToolsOptions,
): SharedTools {
  let config = initial
  let settings = byName(config)
  let plan = planOffer(config)
  let version = 0
  const { catalogue } = toolSearch
  const listeners = new Set<(hasNewTools: boolean, isConfigured: boolean) => void>()
  const configured = new Set<() => void>()
  const problems = createSetupProblems(servers)
  /** Those that somebody has asked for, the latest last. */
  const unlisted = new Map<string, ToolOrigin>()
  const tools = createSyncedTools(servers, {
    toolSearch,
    approvals,
    plan: () => plan,
    settings: (server) => settings.get(server),
    isWithheld: (server, tool) => audience === 'model' && mustWait(server, tool),
    policy: () => config.approve,
  })

  setNewWaits(config)

  // Indexing thousands of tools takes a while, and the list of meta tools does not depend on it.
  const waiting = new Set(servers.upstreams.keys())
  let connecting = connectingServers()
  let isDelayed = true
  const timer = setTimeout(indexInBackground, START_DELAY_MS).unref()
  /** The server whose tools are being indexed, and the steps that are left. */
  let current: Indexing | undefined
  let isIndexing = false
  /** Called when a server has been indexed. */
  const finished = new Set<() => void>()
  const unsubscribe = servers.subscribe((name) => {
    waiting.add(name)
    if (isDelayed) return
    if (waiting.size === 1 && !current) indexAll()
    indexInBackground()
  })

  const shared: SharedTools = {
    get config() {
      return config
    },
    get version() {
      return version
    },
    settings: (server) => settings.get(server),
    nameOf: (server, name) => plan.names.nameOf(server, name),
    offered: (server, all) => plan.offer(server, all).offered,
    searchable: tools.searchable,
    addAccepted,
    indexAll,
    async indexed(server) {
      const isAwaited = () =>
        server === undefined
          ? current?.isFirst || [...waiting].some(tools.isMissing)
          : current?.name === server || waiting.has(server)
      while (isAwaited()) {
        indexInBackground()
        await new Promise<void>((resolve) => finished.add(resolve))
      }
    },
    origin: (name) => tools.origins.get(name) ?? unlisted.get(name),
    noteUnlisted(skill) {
      const { name, server, tool } = skill
      if (!servers.upstreams.has(server) || unlisted.get(name) === skill) return
      unlisted.delete(name)
      unlisted.set(name, skill)
      const [oldest] = unlisted.keys()
      if (unlisted.size > MAX_UNLISTED) unlisted.delete(oldest!)
      approvals?.observe(server, [tool])
    },
    hiddenTools: () => tools.hidden(),
    problems: () => problems(config, plan),
    approvalOf: ({ server, tool }) => approvals?.stateOf(server, tool) ?? 'approved',
    isWithheld: ({ server, tool }) => mustWait(server, tool),
    waitingTools() {
      const found = new Map<string, WaitingTool>()
      for (const known of [unlisted, tools.origins]) {
        for (const [name, origin] of known) {
          const kind = shared.approvalOf(origin)
          if (kind !== 'approved') found.set(name, { name, server: origin.server, kind })
        }
      }
      return [...found.values()]
    },
    decide(name, decision) {
      const origin = shared.origin(name)
      if (!origin || !approvals) return false
      const { server, tool } = origin
      if (decision === 'undo' && !approvals.undo(server, tool.name)) return false
      if (decision === 'accept') approvals.accept(server, tool)
      if (decision === 'block') approvals.block(server, tool.name)
      applyApprovals()
      return true
    },
    async refreshApprovals() {
      await approvals?.refresh()
      applyApprovals()
    },
    applyApprovals,
    configure(next) {
      setNewWaits(next)
      indexAll()
      // Rules of people, limits and the like are edited often, and thousands of tools take a while.
      const isSameOffer = isDeepStrictEqual(offerSettings(config), offerSettings(next))
      config = next
      settings = byName(next)
      if (!isSameOffer) {
        plan = planOffer(next)
        tools.applyPlan()
      }
      // What is being indexed has to start again with the new plan.
      current = undefined
      for (const name of servers.upstreams.keys()) waiting.add(name)
      const before = catalogue.version
      indexSmall()
      connecting = connectingServers()
      notify(catalogue.version !== before, true)
      indexInBackground()
      for (const listener of configured) listener()
    },
    onConfigured(listener) {
      configured.add(listener)
      return () => configured.delete(listener)
    },
    onChanged(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      unsubscribe()
      clearTimeout(timer)
      waiting.clear()
      current = undefined
      finish()
      listeners.clear()
      configured.clear()
    },
  }
  return shared

  /** Notifies the listeners after an update. */
  function notify(hasNewTools: boolean, isConfigured = false): void {
    version += 1
    for (const listener of listeners) listener(hasNewTools, isConfigured)
  }

  function toIndex(name: string): Indexing {
    return {
      name,
      isFirst: tools.isMissing(name),
      steps: tools.sync(name),
      before: catalogue.version,
    }
  }

  /** Indexes what waits, piece by piece, so that requests do not have to wait for all of it. */
  function indexInBackground(): void {
    isDelayed = false
    if (isIndexing) return
    isIndexing = true
    void indexPieces().finally(() => {
      isIndexing = false
    })
  }

  async function indexPieces(): Promise<void> {
    const slices = timeSlices()
    while (current || waiting.size > 0) {
      if (!current) {
        const next = [...waiting].find(tools.isMissing) ?? [...waiting][0]!
        waiting.delete(next)
        current = toIndex(next)
      }
      const { done, value } = current.steps.next()
      if (done) {
        const { before } = current
        current = undefined
        finish(value, before)
      }
      await slices.next()
    }
  }

  /** Returns whether a list may have changed. */
  function indexSmall(): boolean {
    if (current && !isLarge(current.name)) {
      waiting.add(current.name)
      tools.forget(current.name)
      current = undefined
    }
    let isChanged = false
    for (const name of waiting) {
      if (isLarge(name)) continue
      waiting.delete(name)
      const steps = tools.sync(name)
      let step = steps.next()
      while (!step.done) step = steps.next()
      isChanged ||= step.value
    }
    return isChanged
  }

  function indexAll(): void {
    isDelayed = false
    const before = catalogue.version
    finish(indexSmall(), before)
  }

  /** Notifies everybody who waits for tools, and the listeners if a list may have changed. */
  function finish(isChanged = false, before = catalogue.version): void {
    for (const resolve of finished) resolve()
    finished.clear()
    const pending = connecting
    connecting = connectingServers()
    if (isChanged || connecting !== pending) notify(catalogue.version !== before)
  }

  function isLarge(server: string): boolean {
    const { tools: next, skills } = servers.upstreams.get(server) ?? { tools: [], skills: [] }
    const isLong = next.length + skills.length >= LARGE_SERVER
    return (
      isLong || tools.sizeOf(server) >= LARGE_SERVER || sizeUpTo(LARGE_LIST, next) >= LARGE_LIST
    )
  }

  async function addAccepted(): Promise<void> {
    if (tools.hasWithheld) await shared.refreshApprovals()
  }

  function applyApprovals(): void {
    for (const server of tools.applyDecisions()) {
      tools.forget(server)
      waiting.add(server)
    }
    indexAll()
    indexInBackground()
  }

  /** Whether a tool must not be used before a person has approved it. */
  function mustWait(server: string, tool: McpTool): boolean {
    if (!approvals) return false
    // The states of thousands of tools take a while: each needs the fingerprint of its definition.
    if (config.approve === 'off') return approvals.isBlocked(server, tool.name)
    return approvals.stateOf(server, tool) !== 'approved'
  }

  /**
   * People run commands while a gateway runs. Those must not approve the tools that wait there, even
   * if only the command line of the gateway asks for approval.
   */
  function setNewWaits({ approve }: GatewayConfig): void {
    const waits = approve === 'new'
    if (waits || audience === 'model') approvals?.setNewWaits(waits)
  }

  /** The servers that are still connecting for the first time, as one comparable text. */
  function connectingServers(): string {
    const pending = [...servers.upstreams.values()].filter(({ status }) => status.isPending)
    return JSON.stringify(pending.map(({ name }) => name))
  }
}

/** A server whose tools are being indexed. */
interface Indexing {
  readonly name: string
  /** Whether none of its tools were known before. */
  readonly isFirst: boolean
  /** Returns whether a list may have changed. */
  readonly steps: Iterator<void, boolean>
  /** The version of the catalogue at the start. */
  readonly before: number
}

function byName({ servers }: GatewayConfig): Map<string, ServerConfig> {
  return new Map(servers.map((server) => [server.name, server]))
}

/** The settings that decide which tools are offered, and what they look like. */
function offerSettings({ servers, allow, deny, readOnly }: GatewayConfig): object {
  return { servers, allow, deny, readOnly }
}
