import type { ToolAnnotations } from 'toolsearch'
import { hidingRule, type JudgedTool, readAccessRules } from '../access/access-rules.ts'
import type { GatewayConfig, ServerConfig, ToolOverride } from '../config/gateway-config.ts'
import { isObject, type JsonObject } from '../protocol/json-object.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import type { SkillEntry } from '../skills/skill-entry.ts'
import { hideParameters, parameterNames } from './hide-parameters.ts'
import { assignNames, type OfferedNames, offeredNames, type WantedName } from './offered-names.ts'

/** Decides from the configuration which tools of a server are offered, and what they look like. */
export interface OfferPlan {
  readonly names: OfferedNames
  /** A server that is missing or disabled in the configuration offers nothing. */
  offer(server: string, tools: readonly McpTool[]): Offer
}

interface Offer {
  readonly offered: readonly OfferedTool[]
  /** The offered tools that have a different name so that no other tool has the same. */
  readonly renamed: readonly OfferedTool[]
  readonly hidden: readonly HiddenTool[]
}

export interface OfferedTool {
  readonly server: string
  /** The name that agents see. */
  readonly name: string
  /** The tool as its server defines it. */
  readonly tool: McpTool
  /** The tool as agents see it, except for its name. The same object if nothing is overridden. */
  readonly shown: McpTool
  /** Arguments that every call contains. */
  readonly fixed?: JsonObject
  /** Only if this is not a tool but a skill. */
  readonly skill?: OfferedSkill
}

export interface OfferedSkill {
  readonly entry: SkillEntry
  /** Where it is on its server: the name of the skill in rules. */
  readonly path: string
}

/** A tool that no agent can list, find or call. */
export interface HiddenTool {
  readonly server: string
  /** The tool's name on its server. */
  readonly tool: string
  /** The setting that hides it, such as `toolsearch.deny[0] of server "bank"`. */
  readonly hiddenBy: string
}

export function planOffer(config: GatewayConfig): OfferPlan {
  const names = offeredNames(config)
  const rules = readAccessRules(config, 'gateway')
  const servers = new Map(
    config.servers
      .filter(({ disabled }) => !disabled)
      .map((server) => [server.name, { server, own: readAccessRules(server, 'server') }]),
  )

  /** The setting that hides a tool. Annotations are those of the override: its author is trusted. */
  function hiddenBy(judged: JudgedTool, shown: Shown): string | undefined {
    const { server, own } = servers.get(judged.server)!
    const place = (key: string) => placeOf(['toolsearch', key], server.name)
    if (server.disabledTools.includes(judged.name)) {
      return placeOf(['disabledTools'], server.name)
    }
    const byOwn = hidingRule(judged, own)
    if (byOwn) return place(byOwn)
    const byAll = hidingRule(judged, rules)
    if (byAll) return placeOf(['toolsearch', byAll])
    // The value that was to be fixed would not reach the server, so the agent could choose it.
    const [missing] = shown.missing
    return missing === undefined
      ? undefined
      : place(`overrides.${judged.name}.parameters.${missing}`)
  }

  function decide(server: string, tools: readonly McpTool[]): Offer {
    const settings = servers.get(server)?.server
    if (!settings) return { offered: [], renamed: [], hidden: [] }
    const permitted: { tool: McpTool; shown: Shown; name: WantedName }[] = []
    const hidden: HiddenTool[] = []
    for (const tool of tools) {
      const override = overrideOf(settings, tool.name)
      const shown = applyOverride(tool, override)
      const annotations = annotationsOf(shown.tool)
      const place = hiddenBy({ server, name: tool.name, annotations }, shown)
      if (place !== undefined) {
        hidden.push({ server, tool: tool.name, hiddenBy: place })
        continue
      }
      const wanted = names.nameOf(server, override?.name ?? tool.name)
      const isOwn = override?.name === undefined && wanted.endsWith(tool.name)
      permitted.push({ tool, shown, name: { original: tool.name, wanted, isOwn } })
    }
    const given = assignNames(permitted.map(({ name }) => name))
    const offered = permitted.map(({ tool, shown: { tool: shown, fixed } }, at) => ({
      server,
      name: given[at]!,
      tool,
      shown,
      ...(fixed && { fixed }),
    }))
    const renamed = offered.filter(({ name, tool }, at) => {
      if (name !== permitted[at]!.name.wanted) return true
      return names.ownerOf(server, overrideOf(settings, tool.name)?.name ?? tool.name) !== undefined
    })
    return { offered, renamed, hidden }
  }

  /** The last decision about each server. A server's tools are a new list whenever they change. */
  const decisions = new Map<string, { readonly tools: readonly McpTool[]; readonly offer: Offer }>()
  return {
    names,
    offer(server, tools) {
      const last = decisions.get(server)
      if (last?.tools === tools) return last.offer
      const offer = decide(server, tools)
      decisions.set(server, { tools, offer })
      return offer
    },
  }
}

/**
 * A setting as a person would look for it in the file.
 *
 * @param written the text of the setting, if the path does not contain it
 */
export function placeOf(path: readonly string[], server?: string, written?: string): string {
  const text = written === undefined ? '' : ` ${JSON.stringify(written)}`
  const owner = server === undefined ? '' : ` of server ${JSON.stringify(server)}`
  return `${path.join('.')}${text}${owner}`
}

/** A tool may have the name of an inherited property, such as "constructor". */
export function overrideOf({ overrides }: ServerConfig, tool: string): ToolOverride | undefined {
  return Object.hasOwn(overrides, tool) ? overrides[tool] : undefined
}

interface Shown {
  readonly tool: McpTool
  readonly fixed?: JsonObject
  /** Parameters with a fixed value that the tool does not have. */
  readonly missing: readonly string[]
}

function applyOverride(original: McpTool, override: ToolOverride | undefined): Shown {
  const tool = withoutTaskSupport(original)
  if (!override) return { tool, missing: [] }
  const { title, description, annotations, parameters = {} } = override
  const fixed = Object.fromEntries(
    Object.entries(parameters).map(([name, { value }]) => [name, value]),
  )
  const schema = isObject(tool.inputSchema) ? tool.inputSchema : {}
  const known = new Set(parameterNames(schema))
  const hasFixed = Object.keys(fixed).length > 0
  return {
    tool: {
      ...tool,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(annotations && { annotations: { ...annotationsOf(tool), ...annotations } }),
      ...(hasFixed && { inputSchema: hideParameters(schema, fixed) }),
    },
    ...(hasFixed && { fixed }),
    missing: Object.keys(fixed).filter((name) => !known.has(name)),
  }
}

/**
 * The gateway offers no tasks of 2025-11-25 but waits for them. Clients of that version refuse to call a
 * tool that says that it requires them.
 */
function withoutTaskSupport(tool: McpTool): McpTool {
  const { execution, ...rest } = tool
  if (!isObject(execution) || execution.taskSupport === undefined) return tool
  const { taskSupport: _, ...others } = execution
  return Object.keys(others).length > 0 ? { ...rest, execution: others } : rest
}

/** The annotations of a tool; none if they are not an object. */
export function annotationsOf({ annotations }: McpTool): ToolAnnotations {
  return isObject(annotations) ? annotations : {}
}
