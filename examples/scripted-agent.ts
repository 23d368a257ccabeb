import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** An agent without a model: it searches and calls tools through a gateway as its script says. */
export interface ScriptedAgent {
  /** Returns the text that a model would read. */
  search(query: string): Promise<string>
  /** `effect` selects the call tool. Errors are returned as text too. */
  call(tool: string, input?: object, effect?: 'read' | 'write' | 'destructive'): Promise<string>
  /** Calls a meta tool, such as `describe_tools`. */
  ask(metaTool: string, input: Record<string, unknown>): Promise<string>
  close(): Promise<void>
}

/** @param url the endpoint of the gateway, including `/mcp` */
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
    ask,
    async close() {
      await transport.terminateSession()
      await client.close()
    },
  }
}
