import { toolPrefix } from '../config/tool-prefix.ts'
import { OWN_NAMES } from './meta-tools.ts'

/**
 * The name under which the gateway offers a server's tool.
 *
 * @param prefix false for its own name, unless the gateway has a tool of that name
 */
export function toolName(server: string, tool: string, prefix = true): string {
  // clients accept letters, digits and a few signs
  const name = tool.replace(/[^A-Za-z0-9_.-]+/g, '_')
  return prefix || OWN_NAMES.has(name) ? `${toolPrefix(server)}__${name}` : name
}
