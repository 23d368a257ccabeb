import { anthropic } from '@ai-sdk/anthropic'
import { convertToModelMessages, streamText, tool, type UIMessage } from 'ai'
import { createToolSearch } from 'toolsearch'
import { aiSdk } from 'toolsearch/ai-sdk'
import { z } from 'zod'

const now = tool({ inputSchema: z.object({}), execute: () => new Date().toISOString() })
const toolSearch = createToolSearch()

export async function POST(request: Request): Promise<Response> {
  const { id, messages } = (await request.json()) as { id: string; messages: UIMessage[] }
  const search = aiSdk(await toolSearch.session(id), { tools: { now } })
  const result = streamText({
    model: anthropic('claude-opus-5'),
    messages: await convertToModelMessages(messages, { tools: search.tools }),
    ...search,
  })
  return result.toUIMessageStreamResponse()
}
