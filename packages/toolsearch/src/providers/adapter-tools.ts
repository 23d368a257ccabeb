import { fail } from '../options/check-option.ts'
import { closestNames } from '../ranking/closest-names.ts'
import type { Session } from '../session/session.ts'
import type { ToolText } from '../tokens/tool-tokens.ts'
import { CALL_TOOL_NAME } from '../tool-search/call-tool.ts'
import type { ExtraTool, Provider } from './provider.ts'
import { createProviderNames, type ProviderNames } from './provider-names.ts'

/** The tools that requests can contain, under the names that they have there. */
export interface AdapterTools {
  /** The caller's tools outside the catalogue. */
  readonly extra: readonly ExtraTool[]
  /** How many definitions `extra` counts as. */
  readonly extraCount: number
  isExtra(name: string): boolean
  names(): ProviderNames
  /** Translates these names too, which texts repeat although their tools no longer exist. */
  includeNames(names: readonly string[]): void
  /** The definition with the name that requests use for the tool. */
  toProviderText(tool: ToolText): ToolText
  /** Whether a request can declare a removed tool under this name. */
  canDeclareRemoved(name: string): boolean
  /** @throws InvalidOptionError */
  checkToolChoice(name: string): void
}

/** @throws InvalidOptionError */
export function createAdapterTools(
  session: Session,
  provider: Pick<Provider<never, never, never>, 'acceptsName' | 'extraNames' | 'mayKnowTool'>,
  extra: readonly ExtraTool[],
): AdapterTools {
  const extraNames = new Set(extra.flatMap((tool) => provider.extraNames(tool)))
  const isExtra = (name: string) => extraNames.has(name)
  const reserved = [session.searchTool.name, CALL_TOOL_NAME].find(isExtra)
  if (reserved)
    fail(reserved, 'extraTools', 'use another name: toolsearch lists a tool of this name')
  let current: ProviderNames | undefined
  let namedTools: unknown
  /** Includes the names of removed tools, because announcements and messages repeat them. */
  const renamed = new Set<string>()
  return {
    extra,
    // One of them can declare several tools.
    extraCount: Math.max(extra.length, extraNames.size),
    isExtra,
    names,

    includeNames(removed) {
      if (removed.every((name) => renamed.has(name))) return
      for (const name of removed) renamed.add(name)
      current = undefined
    },

    toProviderText(tool) {
      const name = names().toProvider(tool.name)
      return name === tool.name ? tool : { ...tool, name }
    },

    canDeclareRemoved: (name) => !isKnown(name) && provider.acceptsName.test(name),

    // A provider rejects a request that forces a tool it does not list.
    checkToolChoice(name) {
      if (isKnown(name) || session.tool(name)) return
      const closest = closestNames(name, session.tools())
      const hint = closest.length > 0 ? `. Similar names: ${closest.join(', ')}` : ''
      fail(name, 'toolChoice', `use the name of a tool in the catalogue or in extraTools${hint}`)
    },
  }

  /** Whether the name belongs to a tool outside the catalogue. */
  function isKnown(name: string): boolean {
    const isOwn = name === session.searchTool.name || name === CALL_TOOL_NAME
    return isOwn || isExtra(name) || provider.mayKnowTool?.(name) === true
  }

  /** Names change only when the catalogue does, so they are computed once per tool list. */
  function names(): ProviderNames {
    const tools = session.tools()
    if (current === undefined || namedTools !== tools) {
      const removed = [...renamed, ...session.removedTools().map(({ name }) => name)]
        .filter((name) => session.tool(name) === undefined)
        .map((name) => ({ name }))
      current = createProviderNames([...tools, ...removed], provider.acceptsName, isExtra)
      for (const { name } of tools) if (current.toProvider(name) !== name) renamed.add(name)
      namedTools = tools
    }
    return current
  }
}
