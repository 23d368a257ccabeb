import { toolPrefix } from '../config/tool-prefix.ts'

/** The name under which the gateway offers a server's tool. */
export function toolName(server: string, tool: string): string {
  // clients accept letters, digits and a few signs
  return `${toolPrefix(server)}__${tool.replace(/[^A-Za-z0-9_.-]+/g, '_')}`
}
