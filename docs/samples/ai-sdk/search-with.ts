import { anthropic } from '@ai-sdk/anthropic'
import { generateText, tool, toolSearch } from 'ai'
import { createToolSearch } from 'toolsearch'
import { searchWith } from 'toolsearch/ai-sdk'
import { z } from 'zod'

const now = tool({ inputSchema: z.object({}), execute: () => new Date().toISOString() })
const { text } = await generateText({
  model: anthropic('claude-opus-5'),
  prompt: 'What time is it?',
  tools: { now, search: toolSearch({ search: searchWith(createToolSearch()), maxResults: 5 }) },
})
console.log(text)
