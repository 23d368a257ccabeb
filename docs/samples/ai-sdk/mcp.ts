import { anthropic } from '@ai-sdk/anthropic'
import { createMCPClient } from '@ai-sdk/mcp'
import { StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio'
import { generateText, isStepCount } from 'ai'
import { createToolSearch } from 'toolsearch'
import { aiSdk } from 'toolsearch/ai-sdk'

const files = await createMCPClient({
  clientName: 'files',
  transport: new StdioMCPTransport({
    command: 'npx',
    args: ['-y', '@modelcontextprotocol/server-filesystem', '.'],
  }),
})
const session = await createToolSearch().session('chat-42')
const { text } = await generateText({
  model: anthropic('claude-opus-5'),
  prompt: 'Which files are here?',
  ...aiSdk(session, { tools: await files.tools() }),
  stopWhen: isStepCount(10),
})
await files.close()
console.log(text)
