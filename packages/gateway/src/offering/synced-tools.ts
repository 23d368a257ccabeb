import type { ToolDefinition, ToolSearch } from 'toolsearch'
import type { ServerConfig } from '../config/gateway-config.ts'
import { sizeUpTo } from '../protocol/check-size.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import { mentionedTools } from '../skills/mentioned-tools.ts'
import type { SkillEntry } from '../skills/skill-entry.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import type { Approvals } from './approvals/approvals.ts'
import type { HiddenTool, OfferedTool, OfferPlan } from './offer-plan.ts'
import { offerSkills } from './offer-skills.ts'
import { groupsOf } from './tool-groups.ts'
import type { UpstreamSet } from './upstream-set.ts'

/** The server that has a tool, the tool as that server defines it, and as agents see it. */
export type ToolOrigin = OfferedTool

/** Keeps the catalogue in sync with the tools of the servers. */
export interface SyncedTools {
  /**
   * By the name that agents see. Includes tools that are withheld from the catalogue because their
   * definition changed.
   */
  readonly origins: ReadonlyMap<string, ToolOrigin>
  /** The definition under which the library finds a tool. */
  searchable(origin: ToolOrigin): ToolDefinition
  /** The tools of all synced servers that the configuration hides. */
  hidden(): readonly HiddenTool[]
  /**
   * Applies the current plan to the tools that it still offers under their names, and removes the others, so
   * that another server can have these names whichever is synced first. The search index follows later.
   */
  applyPlan(): void
  /** Whether the current tools of a server are not in the catalogue yet, and none of its earlier ones. */
  isMissing(server: string): boolean
  /** How many tools and skills a server had when it was last synced. */
  sizeOf(server: string): number
  /**
   * Updates the catalogue with a server's current tools. Pauses after every few tools, with the catalogue in
   * a valid state, so that other work can run. Returns false if nothing changed.
   */
  sync(server: string): Generator<void, boolean>
  /** Makes the next `sync` of a server compare every tool: approvals may have changed. */
  forget(server: string): void
  /** Whether any tool is withheld. */
  readonly hasWithheld: boolean
  /**
   * Removes the tools that people have decided to withhold. Returns the servers to sync, because people have
   * decided about their tools.
   */
  applyDecisions(): string[]
}

export interface SyncedToolsOptions {
  readonly toolSearch: ToolSearch
  readonly approvals: Approvals | undefined
  /** A new object whenever the configuration changed. */
  readonly plan: () => OfferPlan
  readonly settings: (server: string) => ServerConfig | undefined
  /** Whether a tool is withheld from the catalogue until a person approves it. */
  readonly isWithheld: (server: string, tool: McpTool) => boolean
  /** Which tools `isWithheld` withholds: another value if the rule changes. */
  readonly policy: () => string
}

interface SyncedServer {
  readonly tools: readonly McpTool[]
  readonly skills: readonly SkillEntry[]
  readonly plan: OfferPlan
  readonly policy: string
  readonly withheld: ReadonlySet<McpTool>
  readonly hidden: readonly HiddenTool[]
}

/** How many tools the catalogue takes at a time, and how large they are together, about. */
const BATCH_SIZE = 20
const BATCH_BYTES = 250_000

export function createSyncedTools(
  servers: UpstreamSet,
  { toolSearch, approvals, plan, settings, isWithheld, policy }: SyncedToolsOptions,
): SyncedTools {
  const { catalogue, sources } = toolSearch
  const origins = new Map<string, ToolOrigin>()
  /** What each server was last synced with, to skip changes that affect only its status. */
  const synced = new Map<string, SyncedServer>()

  function* sync(server: string): Generator<void, boolean> {
    const upstream = servers.upstreams.get(server)
    if (upstream) setSourceState(upstream)
    const before = synced.get(server)
    const now = { plan: plan(), policy: policy() }
    const isSame = before?.tools === upstream?.tools && before?.skills === upstream?.skills
    if (upstream && isSame && before?.plan === now.plan && before?.policy === now.policy)
      return false
    // If this stops before the end, the next sync starts over.
    synced.delete(server)
    if (upstream) yield* replaceTools(server, upstream, now)
    else {
      yield* removeTools(namesOf(server))
      sources.remove(`mcp:${server}`)
    }
    return true
  }

  function sizeOf(server: string): number {
    const known = synced.get(server)
    return known ? known.tools.length + known.skills.length : namesOf(server).length
  }

  function namesOf(server: string): string[] {
    const names: string[] = []
    for (const [name, origin] of origins) if (origin.server === server) names.push(name)
    return names
  }

  function* removeTools(names: readonly string[]): Generator<void, void> {
    for (let at = 0; at < names.length; at += BATCH_SIZE) {
      const batch = names.slice(at, at + BATCH_SIZE)
      for (const name of batch) origins.delete(name)
      catalogue.remove(batch)
      yield
    }
  }

  function* replaceTools(
    server: string,
    { tools: all, skills }: Upstream,
    now: Pick<SyncedServer, 'plan' | 'policy'>,
  ): Generator<void, void> {
    const { offered: permitted, hidden } = now.plan.offer(server, all)
    yield
    const offered = skills.length === 0 ? permitted : [...permitted, ...offerSkills(server, skills)]
    const wanted = new Set(offered.map(({ name }) => name))
    yield* removeTools(namesOf(server).filter((name) => !wanted.has(name)))
    yield
    const withheld = new Set<McpTool>()
    for (const batch of batchesOf(offered)) {
      addTools(server, batch, withheld)
      yield
    }
    synced.set(server, { ...now, tools: all, skills, withheld, hidden })
  }

  function addTools(server: string, offered: readonly OfferedTool[], withheld: Set<McpTool>): void {
    const source = `mcp:${server}` as const
    const isTaken = (name: string) => (catalogue.get(name)?.source ?? source) !== source
    for (const { tool, name } of offered) {
      if (!isWithheld(server, tool)) continue
      withheld.add(tool)
      if (!isTaken(name)) catalogue.remove(name)
    }
    const shown = offered.filter(({ name, tool }) => !withheld.has(tool) && !isTaken(name))
    const definitions = shown.map((origin) => ({ ...searchable(origin), source }))
    const { rejected } = catalogue.add(definitions, { duplicates: 'replace', problems: 'skip' })
    catalogue.remove(rejected.map(({ toolName }) => toolName))
    for (const origin of offered) {
      const { name, tool } = origin
      // The catalogue rejects tools that are invalid.
      if (withheld.has(tool) || catalogue.get(name)?.source === source) origins.set(name, origin)
      else if (origins.get(name)?.server === server) origins.delete(name)
    }
    const tools = offered.map(({ tool }) => tool)
    approvals?.observe(server, tools)
  }

  /** Finds a skill by its description, and the tools it mentions by the names that agents use. */
  function searchableSkill({ server, name, tool, skill }: OfferedTool): ToolDefinition {
    const { entry } = skill!
    const text = servers.upstreams.get(server)?.skillText?.(entry.uri)
    const mentioned = mentionedTools(entry.frontmatter, text)
    const tools = mentioned.flatMap((each) => [plan().names.nameOf(server, each), each])
    const { title, description, annotations } = tool as ToolDefinition
    return {
      name,
      ...(title !== undefined && { title }),
      description,
      annotations,
      skill: { instructions: '', tools: [...new Set(tools)] },
    }
  }

  function searchable(origin: OfferedTool): ToolDefinition {
    if (origin.skill) return searchableSkill(origin)
    const { server, name, tool, shown } = origin
    const hints = settings(server)?.hints ?? {}
    // A tool may have the name of an inherited property, such as "constructor".
    const hint = Object.hasOwn(hints, tool.name) ? hints[tool.name] : undefined
    const words = [hint ?? [], groupsOf(tool)].flat()
    return {
      ...(shown as object),
      // A tool of a server is a tool, whatever fields the server adds.
      skill: undefined,
      name,
      // Which tools are listed without a search is decided here, not by `anthropic/alwaysLoad` of the
      // server: a search leaves out tools that are always loaded.
      loading: 'auto',
      ...(words.length > 0 && { searchHint: words.join(' ') }),
    }
  }

  function setSourceState({ name, status }: Upstream): void {
    const { state, detail } = status
    sources.set({
      source: `mcp:${name}`,
      // An idle server starts on first use, so its tools are available.
      state: state === 'idle' ? 'ready' : state,
      ...(detail !== undefined && { detail }),
    })
  }

  return {
    origins,
    searchable,
    applyPlan() {
      const current = plan()
      const kept = new Set<string>()
      for (const [server, { tools, skills }] of synced) {
        const offered = [...current.offer(server, tools).offered, ...offerSkills(server, skills)]
        for (const origin of offered) {
          const { name, tool } = origin
          kept.add(`${server} ${name}`)
          if (origins.get(name)?.tool === tool) origins.set(name, origin)
        }
      }
      const moved = [...origins].filter(([name, { server }]) => !kept.has(`${server} ${name}`))
      for (const [name] of moved) origins.delete(name)
      catalogue.remove(moved.map(([name]) => name))
    },
    hidden: () => [...synced.values()].flatMap(({ hidden }) => hidden),
    isMissing: (server) => servers.upstreams.has(server) && sizeOf(server) === 0,
    sizeOf,
    sync,
    forget: (server) => void synced.delete(server),
    get hasWithheld() {
      return [...synced.values()].some(({ withheld }) => withheld.size > 0)
    },
    applyDecisions() {
      const outdated = [...origins.values()].filter(({ server, tool }) => {
        const known = synced.get(server)
        return known && known.withheld.has(tool) !== isWithheld(server, tool)
      })
      const withheld = outdated.filter(({ server, tool }) => isWithheld(server, tool))
      catalogue.remove(withheld.map(({ name }) => name))
      return [...new Set(outdated.map(({ server }) => server))]
    },
  }
}

function* batchesOf(offered: readonly OfferedTool[]): Generator<readonly OfferedTool[], void> {
  let batch: OfferedTool[] = []
  let bytes = 0
  for (const each of offered) {
    batch.push(each)
    bytes += sizeUpTo(BATCH_BYTES, each.tool)
    if (batch.length < BATCH_SIZE && bytes < BATCH_BYTES) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}
