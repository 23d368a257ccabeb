import type { JsonSchema } from 'toolsearch'
import { type CallResult, type ConfigFile, openGateway } from 'toolsearch-gateway'
import type { Message, Model } from './scripted-model.ts'

/** An agent that uses the tools of any number of MCP servers through a gateway in its own process. */
export async function runAgent(config: ConfigFile, task: string, model: Model): Promise<Message[]> {
  // Without these options the gateway caches tool lists, so that servers start on first use.
  const gateway = await openGateway(config, { cacheFolder: false, stateFolder: false })
  try {
    await gateway.ready()
    const messages: Message[] = [{ role: 'user', content: task }]
    for (let step = 0; step < 20; step++) {
      const tools = gateway.listTools().map(({ name, description, inputSchema }) => ({
        name,
        description: String(description),
        inputSchema: inputSchema as JsonSchema,
      }))
      const reply = await model({ system: undefined, tools, messages })
      messages.push({ role: 'assistant', content: reply.text })
      if (reply.calls.length === 0) return messages
      for (const call of reply.calls) {
        const result = await gateway.callTool(call, { signal: AbortSignal.timeout(60_000) })
        messages.push({ role: 'tool', content: textOf(result) })
      }
    }
    throw new Error('The agent did not finish within 20 steps.')
  } finally {
    await gateway.close()
  }
}

function textOf({ content = [] }: CallResult): string {
  return content.map(({ type, text }) => (type === 'text' ? text : `[${type}]`)).join('\n')
}
