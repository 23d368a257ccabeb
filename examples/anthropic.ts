import type Anthropic from '@anthropic-ai/sdk'
import { createToolSearch } from 'toolsearch'
import { anthropic } from 'toolsearch/anthropic'
import { myTools } from './my-tools.ts'
import type { RunTool } from './scripted-model.ts'

const toolSearch = createToolSearch({ tools: myTools })

export async function chat(
  client: Anthropic,
  question: string,
  run: RunTool,
): Promise<Anthropic.MessageParam[]> {
  const session = await toolSearch.session('chat-42')
  const adapter = anthropic<Anthropic.MessageParam>(session, { model: 'claude-opus-5' })
  let messages: Anthropic.MessageParam[] = [{ role: 'user', content: question }]
  for (let step = 0; step < 20; step++) {
    const request = await adapter.request({ messages, system: 'You are a helpful assistant.' })
    const reply = await client.messages.create({
      model: 'claude-opus-5',
      max_tokens: 1024,
      ...request,
    })
    const { calls, shouldContinue, messages: answers } = await adapter.handle(reply) // answers the searches
    messages = [...request.messages, ...answers(await Promise.all(calls.map(run)))]
    if (!shouldContinue) return messages
  }
  throw new Error('The model did not finish within 20 steps.')
}
