import type { McpTool } from '../protocol/mcp-tool.ts'

const NAMED = 5

/** What is another in a list of tools, in a sentence for a person. */
export function listDifference(before: readonly McpTool[], after: readonly McpTool[]): string {
  const [old, fresh] = [namesOf(before), namesOf(after)]
  const sentences = [
    ...tell(
      [...fresh].filter((name) => !old.has(name)),
      'joined the list',
    ),
    ...tell(
      [...old].filter((name) => !fresh.has(name)),
      'left the list',
    ),
  ]
  return sentences.length > 0 ? sentences.join(' ') : 'A definition in the list is another.'
}

function namesOf(tools: readonly McpTool[]): Set<string> {
  return new Set(tools.map(({ name }) => name))
}

function tell(names: readonly string[], what: string): string[] {
  if (names.length === 0) return []
  const rest = names.length > NAMED ? ` and ${names.length - NAMED} more` : ''
  return [`${names.slice(0, NAMED).join(', ')}${rest} ${what}.`]
}
