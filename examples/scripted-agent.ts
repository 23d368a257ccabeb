import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** An agent without a model: it searches and calls what it is told to, through a gateway. */
export interface ScriptedAgent {
  /** What the model would read. */
  search(query: string): Promise<string>
  /** `effect` is what the tool does to the world. What goes wrong is told as text too. */
  call(tool: string, input?: object, effect?: 'read' | 'write' | 'destructive'): Promise<string>
  close(): Promise<void>
}

/** @param url of the gateway, with `/mcp` */
export async function scriptedAgent(
  url: string,
  { name = 'scripted-agent', token }: { name?: string; token?: string } = {},
): Promise<ScriptedAgent> {
  const client = new Client({ name, version: '1.0.0' }, { versionNegotiation: { mode: 'legacy' } })
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
  await client.connect(transport)
  const ask = async (tool: string, input: Record<string, unknown>) => {
    const { content } = await client.callTool({ name: tool, arguments: input })
    return JSON.stringify(content)
  }
  return {
    search: (query) => ask('tool_search', { query }),
    call: (tool, input = {}, effect = 'read') =>
      ask(`call_${effect}_tool`, { name: tool, arguments: input }),
    async close() {
      await transport.terminateSession()
      await client.close()
    },
  }
}
