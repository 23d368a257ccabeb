/** The name under which the gateway offers a server's tool. */
export function toolName(server: string, tool: string): string {
  return `${readable(server)}__${readable(tool)}`
}

/** Clients accept letters, digits and a few signs; a tool of another name is refused where it is listed. */
function readable(name: string): string {
  return name.replace(/[^A-Za-z0-9_.-]+/g, '_')
}
