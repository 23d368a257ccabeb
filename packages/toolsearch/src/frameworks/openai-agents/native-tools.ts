import type { Tool } from '../../catalogue/tool.ts'
import type { Session } from '../../session/session.ts'
import type { CatalogueTools } from './catalogue-tools.ts'
import type { AgentTool, HostedTool, NativeSearch } from './sdk-shapes.ts'

export interface NativeToolsOptions {
  readonly native: NativeSearch
  /** Whether the model sees this tool in full. */
  isListed(name: string): boolean
}

/**
 * Of the members of a namespace, the model sees nothing before it finds them. Tools can therefore come
 * and go without a change of the prompt.
 */
const NAMESPACE = { name: 'catalogue', description: 'Tools that tool_search finds.' }

/** Adds the search tool of the Responses API and all hidden tools to the tools of an agent. */
export function addNativeTools(
  tools: (AgentTool | HostedTool)[],
  session: Session,
  catalogueTools: CatalogueTools,
  { native, isListed }: NativeToolsOptions,
): { refresh(): void } {
  const { description, inputSchema } = session.searchTool
  const members = new Map<string, { tool: Tool; member: AgentTool }>()
  /** Tools that were found before the SDK could collect them. It keeps them until the run ends. */
  const late = new WeakMap<object, Set<string>>()
  const search = native.toolSearchTool({
    execution: 'client',
    description,
    parameters: inputSchema,
    async execute({ toolCall, availableTools, runContext }) {
      // The result cannot contain text, so the only way to show candidates is to load them.
      const { outcome } = await session.search(toolCall.arguments, { loadsCandidates: true })
      refresh()
      return outcome.hits.flatMap(({ tool }) => {
        const { name } = tool
        const member = members.get(name)?.member
        if (member === undefined) return []
        const available = availableTools.find((known: AgentTool) => known.name === member.name)
        if (available) return [available]
        late.set(runContext, (late.get(runContext) ?? new Set()).add(name))
        // a copy, because the SDK rejects tools that are both configured and found
        const { isEnabled } = catalogueTools.direct(tool)
        return [{ ...member, isEnabled }]
      })
    },
  })
  tools.push(search)
  refresh()
  return { refresh }

  function refresh(): void {
    const changed = session
      .tools()
      .filter((tool) => members.get(tool.name)?.tool !== tool && !isListed(tool.name))
    const created: AgentTool[] = native.toolNamespace({
      ...NAMESPACE,
      tools: changed.map((tool) => {
        const direct = catalogueTools.direct(tool)
        const isEnabled = async (runContext: object, agent: unknown) =>
          session.tool(tool.name) !== undefined &&
          !late.get(runContext)?.has(tool.name) &&
          direct.isEnabled(runContext, agent)
        return { ...direct, deferLoading: true, isEnabled }
      }),
    })
    for (const [index, tool] of changed.entries()) {
      const member = created[index]!
      const before = members.get(tool.name)?.member
      if (before) tools[tools.indexOf(before)] = member
      else tools.push(member)
      members.set(tool.name, { tool, member })
    }
  }
}
