import type { ToolSearch, ValidateArguments } from 'toolsearch'
import { ALL_RIGHTS, type Rights } from '../access/rights.ts'
import type { ProfileConfig } from '../config/team-config.ts'
import type { Caller } from '../identity/caller.ts'
import { textOf } from '../protocol/json-object.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import type { ScriptThreads } from '../scripts/script-threads.ts'
import { createBoundedMap } from '../system/bounded-map.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import type { SkillTexts } from './approvals/skill-texts.ts'
import { createGatewayView, type GatewayView } from './gateway-view.ts'
import type { LargeResults } from './large-results.ts'
import { offerSkills } from './offer-skills.ts'
import type { PersonServers } from './person-servers.ts'
import type { SharedTools } from './shared-tools.ts'
import type { TaskRecords } from './task-records.ts'
import type { UpstreamSet } from './upstream-set.ts'
import type { UseFollower } from './use-follower.ts'
import type { ViewConfig } from './view-config.ts'
import { joinServers, visibleServers } from './visible-servers.ts'
import { createVisibleTools, type OwnTools, type VisibleTools } from './visible-tools.ts'

/** The views of all callers. Callers with the same rights and the same profile share one. */
export interface CallerViews {
  /** The view of the person who runs the gateway: nothing is hidden. */
  readonly everything: GatewayView
  of(caller: Caller): GatewayView
  /** Call it when the settings have changed. */
  forget(): void
}

export interface CallerViewsOptions {
  readonly toolSearch: ToolSearch
  readonly servers: UpstreamSet
  readonly validate: ValidateArguments
  readonly results: LargeResults
  readonly tasks: TaskRecords
  readonly scripts: ScriptThreads
  readonly rightsOf: (caller: Caller) => Rights
  readonly personServers: PersonServers | undefined
  readonly uses?: UseFollower | undefined
  readonly texts: SkillTexts
}

/** Views that were not used for long are dropped, and created again when they are needed. */
const MAX_VIEWS = 2_000
/** Each has a list of its tools, and of names that its searches can find. */
const MAX_TOOL_SETS = 256

export function createCallerViews(shared: SharedTools, options: CallerViewsOptions): CallerViews {
  const { toolSearch, servers, rightsOf, personServers } = options
  const everything = createGatewayView(shared, {
    ...options,
    tools: createVisibleTools(shared, { toolSearch, rights: ALL_RIGHTS, id: 'gateway' }),
    rights: ALL_RIGHTS,
    config: () => shared.config,
  })
  let views = createBoundedMap<string, { view: GatewayView; own: UpstreamSet | undefined }>(
    MAX_VIEWS,
  )
  let toolSets = createBoundedMap<string, VisibleTools>(MAX_TOOL_SETS)
  const listNumbers = new WeakMap<readonly object[], number>()
  let lists = 0

  function toolsFor(rights: Rights, own: OwnTools | undefined): VisibleTools {
    const key = JSON.stringify([rights.key, own?.key])
    const tools =
      toolSets.get(key) ??
      createVisibleTools(shared, { toolSearch, rights, own, id: `gateway ${key}` })
    // Setting it makes it the most recently used one.
    toolSets.set(key, tools)
    return tools
  }

  function ownToolsOf({ upstreams }: UpstreamSet): OwnTools {
    const own = [...upstreams.values()].map(({ name, tools, skills }) => ({ name, tools, skills }))
    const key = own.map(({ name, tools, skills }) => [name, numberOf(tools), numberOf(skills)])
    return { key: JSON.stringify(key), servers: own }
  }

  /** People whose servers send the same list have the same list, by reference. */
  function numberOf(list: readonly object[]): number {
    const number = listNumbers.get(list) ?? ++lists
    listNumbers.set(list, number)
    return number
  }

  function create(rights: Rights, caller: Caller, own: UpstreamSet | undefined): GatewayView {
    const tools = own
      ? currentTools(() => toolsFor(rights, ownToolsOf(own)), own)
      : toolsFor(rights, undefined)
    const reachable = own ? joinServers(servers, own) : servers
    const visible = restrict(reachable, rights, { tools, own })
    const config = viewConfig(visible, profileOf(caller))
    return createGatewayView(shared, {
      ...options,
      tools,
      rights,
      servers: visible,
      config: () => config,
    })
  }

  function restrict(
    reachable: UpstreamSet,
    rights: Rights,
    { tools, own }: { tools: VisibleTools; own: UpstreamSet | undefined },
  ): UpstreamSet {
    if (rights.key === ALL_RIGHTS.key && !isForTeam()) return reachable
    const usable = new WeakMap<readonly McpTool[], boolean>()

    /** Whether a tool of the server is visible. */
    function hasUsableTool({ name, tools: all }: Upstream): boolean {
      const known = usable.get(all)
      if (known !== undefined) return known
      const isUsable = shared.offered(name, all).some(tools.isVisible)
      usable.set(all, isUsable)
      return isUsable
    }

    function hasUsableSkill({ name, skills }: Upstream): boolean {
      return skills.length > 0 && offerSkills(name, skills).some(tools.isVisible)
    }

    const reached = new Map<string, boolean>()

    /** Whether anything of a server may be used. Asked for each server in every search. */
    function reaches(name: string): boolean {
      const known = reached.get(name)
      if (known !== undefined) return known
      const reaches = rights.reaches(name)
      reached.set(name, reaches)
      return reaches
    }

    return visibleServers(reachable, {
      isVisible(upstream) {
        const { name, capabilities, tools: all, skills } = upstream
        if (!reaches(name)) return false
        if (hasUsableTool(upstream) || hasUsableSkill(upstream)) return true
        const { resources, prompts } = capabilities
        // Nothing is known about it yet, or it has nothing that could be hidden.
        if (resources === undefined && prompts === undefined) {
          return all.length + skills.length === 0
        }
        return (
          (resources !== undefined && rights.reaches(name, 'resource')) ||
          (prompts !== undefined && rights.reaches(name, 'prompt'))
        )
      },
      mayKnowReasons(server) {
        if (own?.upstreams.has(server)) return true
        // Commands, paths and settings are for administrators, who find them in the log and the inspector.
        return !isForTeam() && rights.server(server).isAllowed
      },
      mayKnow(server, method, { uri }) {
        if (method === 'notifications/message') return rights.server(server).isAllowed
        if (method !== 'notifications/resources/updated') return true
        return rights.resource({ server, uri: textOf(uri) }).isAllowed
      },
    })
  }

  function isForTeam(): boolean {
    return shared.config.identity !== undefined
  }

  function profileOf({ profile }: Caller): ProfileConfig | undefined {
    const { profiles } = shared.config
    return profile !== undefined && Object.hasOwn(profiles, profile) ? profiles[profile] : undefined
  }

  /** A view lasts until the configuration changes, so only the servers can change. */
  function viewConfig(visible: UpstreamSet, profile: ProfileConfig | undefined): ViewConfig {
    const { servers, mode, callTools, pins, limits, scripts, shortcut } = shared.config
    return {
      get servers() {
        const { upstreams } = visible
        return servers.filter(({ name }) => upstreams.has(name))
      },
      mode: profile?.mode ?? mode,
      callTools,
      pins: profile?.pins ?? pins,
      limits,
      ...(scripts && { scripts }),
      shortcut,
      instructions: profile?.instructions,
      description: profile?.description,
    }
  }

  return {
    everything,
    of(caller) {
      const rights = rightsOf(caller)
      const own = personServers?.serversFor(caller.person)
      const hasAll = rights.key === ALL_RIGHTS.key && !own && caller.profile === undefined
      if (hasAll && !isForTeam()) return everything
      const key = JSON.stringify([rights.key, caller.profile, own && caller.person.id])
      const known = views.get(key)
      const entry = known?.own === own && known ? known : { view: create(rights, caller, own), own }
      views.set(key, entry)
      return entry.view
    },
    forget() {
      views = createBoundedMap(MAX_VIEWS)
      toolSets = createBoundedMap(MAX_TOOL_SETS)
    },
  }
}

/** The tools of a person whose own servers can send other lists at any time. */
function currentTools(current: () => VisibleTools, own: UpstreamSet): VisibleTools {
  return {
    get set() {
      return current().set
    },
    get isEverything() {
      return current().isEverything
    },
    get isComplete() {
      return current().isComplete
    },
    get: (name) => current().get(name),
    all: () => current().all(),
    skills: () => current().skills(),
    origin: (name) => current().origin(name),
    isVisible: (origin) => current().isVisible(origin),
    decide: (name) => current().decide(name),
    knownNames: () => current().knownNames(),
    onChanged(listener) {
      const stops = [current().onChanged(listener), own.subscribe(() => listener(true, false))]
      return () => {
        for (const stop of stops) stop()
      }
    },
    get session() {
      return current().session
    },
  }
}
