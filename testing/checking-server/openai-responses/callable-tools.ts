import type { CallableTool } from '../callable-tool.ts'
import type { Reply } from '../reply.ts'
import { type ResponsesBody, readItems, type Tool } from './responses-body.ts'
import { strictParameters } from './strict-parameters.ts'

/** The tools that are not deferred, and those that a search or an item has added. */
export function callableTools(
  body: ResponsesBody,
  { search }: Pick<Reply, 'search'> = {},
): CallableTool[] {
  const isAllowed = allowedBy(body.tool_choice)
  const added = readItems(body).flatMap(({ tools = [] }) => tools)
  const callables = [
    ...added.toReversed().flatMap((tool) => callable(tool, () => true)),
    ...(body.tools ?? []).flatMap((tool) =>
      callable(
        tool,
        ({ name, defer_loading }) => !defer_loading || (search?.found ?? []).includes(name!),
      ),
    ),
  ]
  return callables.filter(({ name }) => isAllowed(name))
}

function allowedBy(choice: ResponsesBody['tool_choice']): (name: string) => boolean {
  if (typeof choice !== 'object' || choice === null) return () => choice !== 'none'
  const chosen = choice.type === 'allowed_tools' ? (choice.tools ?? []) : [choice]
  return (name) => chosen.some((tool) => tool.name === name)
}

function callable(tool: Tool, isLoaded: (tool: Tool) => boolean): CallableTool[] {
  const { type, name = '', tools = [] } = tool
  if (type === 'namespace') {
    const members = tools.flatMap((member) => callable(member, isLoaded))
    return members.flatMap((member) => [member, { ...member, name: `${name}.${member.name}` }])
  }
  if (type === 'tool_search') {
    return tool.execution === 'client' ? [{ name: type, schema: tool.parameters }] : []
  }
  return type === 'function' && isLoaded(tool) ? [{ name, schema: parametersOf(tool) }] : []
}

/** Without `strict`, the service makes a schema strict if it can. */
function parametersOf({ parameters, strict }: Tool): unknown {
  return strict === undefined || strict === null
    ? (strictParameters(parameters) ?? parameters)
    : parameters
}
