import type Anthropic from '@anthropic-ai/sdk'
import type { Session } from 'toolsearch'
import { anthropic } from 'toolsearch/anthropic'

export async function chat(
  client: Anthropic,
  session: Session,
  question: string,
): Promise<Anthropic.MessageParam[]> {
  const adapter = anthropic<Anthropic.MessageParam>(session, { model: 'claude-opus-5' })
  let messages: Anthropic.MessageParam[] = [{ role: 'user', content: question }]
  for (let step = 0; step < 20; step++) {
    const request = await adapter.request({ messages, system: 'You are a helpful assistant.' })
    const reply = await client.messages.create({
      model: 'claude-opus-5',
      max_tokens: 1024,
      ...request,
    })
    const { shouldContinue, run } = await adapter.handle(reply) // answers the searches
    messages = [...request.messages, ...(await run())] // runs the tools
    if (!shouldContinue) return messages
  }
  throw new Error('The model did not finish within 20 steps.')
}
