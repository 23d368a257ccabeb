import { anthropic } from '@ai-sdk/anthropic'
import { ToolLoopAgent, tool } from 'ai'
import { createToolSearch } from 'toolsearch'
import { aiSdk } from 'toolsearch/ai-sdk'
import { z } from 'zod'

const now = tool({ inputSchema: z.object({}), execute: () => new Date().toISOString() })
const session = await createToolSearch().session('chat-42')
const agent = new ToolLoopAgent({
  model: anthropic('claude-opus-5'),
  ...aiSdk(session, { tools: { now } }),
})
const { text } = await agent.generate({ prompt: 'What time is it?' })
console.log(text)
