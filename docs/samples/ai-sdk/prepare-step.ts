import { anthropic } from '@ai-sdk/anthropic'
import { generateText, tool } from 'ai'
import { createToolSearch } from 'toolsearch'
import { aiSdk } from 'toolsearch/ai-sdk'
import { z } from 'zod'

const now = tool({ inputSchema: z.object({}), execute: () => new Date().toISOString() })
const search = aiSdk(await createToolSearch().session('chat-42'), { tools: { now } })
const { text } = await generateText({
  model: anthropic('claude-opus-5'),
  prompt: 'What time is it?',
  ...search,
  prepareStep: ({ stepNumber, ...step }) =>
    search.prepareStep({ stepNumber, ...step, toolChoice: stepNumber === 0 ? 'required' : 'auto' }),
})
console.log(text)
