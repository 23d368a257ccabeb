import type { Session, Tool, ToolSearch } from 'toolsearch'
import { ALL_RIGHTS, type Decision, type Rights } from '../access/rights.ts'
import { isObject } from '../protocol/json-object.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import { offerSkills } from './offer-skills.ts'
import type { SharedTools } from './shared-tools.ts'
import type { ToolOrigin } from './synced-tools.ts'

/**
 * The tools that callers with the same rights may use. A tool that they may not use is missing here,
 * as if no server had it.
 */
export interface VisibleTools {
  /** Whether every shared tool is visible, and there are no others. */
  readonly isEverything: boolean
  /** Whether `get` and `all` know a person's own tools. True at the latest when `session` resolves. */
  readonly isComplete: boolean
  /** A tool that can be listed, found and called. Not a skill. */
  get(name: string): Tool | undefined
  /** Those tools, in the order of the catalogue. The same list until one of them changes. */
  all(): readonly Tool[]
  /** The skills that can be found and read. */
  skills(): readonly ToolOrigin[]
  /** Also finds skills, and tools that are withheld from models until a person approves them. */
  origin(name: string): ToolOrigin | undefined
  /** Whether a tool may be used. */
  isVisible(origin: ToolOrigin): boolean
  /** Why a tool may be used, or may not: for administrators. Undefined if no server has the tool. */
  decide(name: string): { readonly origin: ToolOrigin; readonly decision: Decision } | undefined
  /** All tools that `decide` knows, also those that may not be used: for administrators. */
  knownNames(): readonly string[]
  /** Stays the same until a person's own servers send other lists. */
  readonly set: object
  /**
   * Runs the listener after a list of these tools may have changed. Returns a function that stops it.
   *
   * @param listener gets whether tools were added, changed or removed, and whether that was because of
   *   other settings
   */
  onChanged(listener: (hasNewTools: boolean, isConfigured: boolean) => void): () => void
  /** Searches these tools. */
  readonly session: Promise<Session>
}

/** The tools and skills of servers that run with a person's own credentials. */
export interface OwnTools {
  /** People with the same tools and skills have the same key. */
  readonly key: string
  readonly servers: readonly Pick<Upstream, 'name' | 'tools' | 'skills'>[]
}

export interface VisibleToolsOptions {
  readonly toolSearch: ToolSearch
  readonly rights: Rights
  readonly own?: OwnTools | undefined
  /** The name of the session in the library. */
  readonly id: string
}

export function createVisibleTools(
  shared: SharedTools,
  { toolSearch, rights, own, id }: VisibleToolsOptions,
): VisibleTools {
  const { catalogue } = toolSearch
  if (rights.key === ALL_RIGHTS.key && !own) {
    return {
      isEverything: true,
      isComplete: true,
      get: (name) => onlyTool(catalogue.get(name)),
      all: () => withoutSkills(catalogue.tools()),
      skills: () => skillsAmong(catalogue.tools(), shared.origin),
      origin: shared.origin,
      isVisible: () => true,
      decide(name) {
        const origin = shared.origin(name)
        return origin && { origin, decision: decisionOn(ALL_RIGHTS, origin) }
      },
      knownNames: () => catalogue.tools().map(({ name }) => name),
      set: catalogue,
      onChanged: shared.onChanged,
      session: toolSearch.session(id),
    }
  }

  const decisions = new WeakMap<ToolOrigin, Decision>()
  const ownOrigins = new Map(
    (own?.servers ?? [])
      .flatMap(({ name, tools, skills }) => [
        ...shared.offered(name, tools),
        ...offerSkills(name, skills),
      ])
      .map((origin) => [origin.name, origin]),
  )
  const offered = [...ownOrigins.values()].filter((origin) => !shared.isWithheld(origin))
  let opened: Session | undefined
  let visible: { readonly of: readonly Tool[]; readonly tools: readonly Tool[] } | undefined
  const session = toolSearch.session(id, {
    tools: offered.map(shared.searchable),
    visible: ({ name }) => {
      const origin = find(name)
      return origin !== undefined && isVisible(origin)
    },
  })
  session.then(
    (open) => {
      opened = open
    },
    // The call or search that needs it reports the error.
    () => {},
  )

  function find(name: string): ToolOrigin | undefined {
    return ownOrigins.get(name) ?? shared.origin(name)
  }

  function decide(origin: ToolOrigin): Decision {
    const known = decisions.get(origin)
    if (known) return known
    const decision = decisionOn(rights, origin)
    decisions.set(origin, decision)
    return decision
  }

  /** The shared tools among them. */
  function visibleTools(): readonly Tool[] {
    const all = catalogue.tools()
    if (visible?.of !== all) {
      const tools = all.filter(({ name }) => isVisible(shared.origin(name)!))
      visible = { of: all, tools }
    }
    return visible.tools
  }

  function isVisible(origin: ToolOrigin): boolean {
    return decide(origin).isAllowed
  }

  return {
    isEverything: false,
    get isComplete() {
      return offered.length === 0 || opened !== undefined
    },
    get(name) {
      if (ownOrigins.has(name)) return opened?.tool(name)
      const origin = shared.origin(name)
      return origin && isVisible(origin) ? onlyTool(catalogue.get(name)) : undefined
    },
    all: () => (offered.length > 0 && opened ? opened.tools() : withoutSkills(visibleTools())),
    skills: () => [
      ...skillsAmong(visibleTools(), shared.origin),
      ...offered.filter((origin) => origin.skill && isVisible(origin)),
    ],
    origin(name) {
      const origin = find(name)
      return origin && isVisible(origin) ? origin : undefined
    },
    isVisible,
    decide(name) {
      const origin = find(name)
      return origin && { origin, decision: decide(origin) }
    },
    knownNames: () => [...catalogue.tools().map(({ name }) => name), ...ownOrigins.keys()],
    set: decisions,
    onChanged: shared.onChanged,
    session,
  }
}

/** The decision about a tool or a skill. */
export function decisionOn(rights: Pick<Rights, 'tool' | 'skill'>, origin: ToolOrigin): Decision {
  const { server, skill } = origin
  return skill ? rights.skill({ server, name: skill.path }) : rights.tool(judged(origin))
}

function onlyTool(tool: Tool | undefined): Tool | undefined {
  return tool?.skill ? undefined : tool
}

/** By list: the same result for the same one. */
const toolLists = new WeakMap<readonly Tool[], readonly Tool[]>()

function withoutSkills(tools: readonly Tool[]): readonly Tool[] {
  const known = toolLists.get(tools)
  if (known) return known
  const others = tools.some(({ skill }) => skill) ? tools.filter(({ skill }) => !skill) : tools
  toolLists.set(tools, others)
  return others
}

function skillsAmong(
  tools: readonly Tool[],
  origin: (name: string) => ToolOrigin | undefined,
): readonly ToolOrigin[] {
  return tools.flatMap(({ name, skill }) => (skill ? (origin(name) ?? []) : []))
}

/** A tool as rules see it: by the names of its server, with the annotations that agents see. */
export function judged({ server, tool, shown }: ToolOrigin): Parameters<Rights['tool']>[0] {
  const { annotations } = shown
  return {
    server,
    name: tool.name,
    annotations: isObject(annotations) ? annotations : {},
    inputSchema: tool.inputSchema,
  }
}
