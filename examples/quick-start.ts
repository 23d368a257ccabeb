import { createToolSearch } from 'toolsearch'
import { demoCatalogue } from './catalogue/demo-catalogue.ts'
import type { Message, Model, RunTool } from './scripted-model.ts'

const toolSearch = createToolSearch({ tools: demoCatalogue })

export async function chat(messages: Message[], model: Model, run: RunTool): Promise<string> {
  const session = await toolSearch.session('chat-42')
  for (let step = 0; step < 20; step++) {
    const { tools, system, notice } = await session.turn()
    if (notice) messages.push({ role: 'user', content: notice })
    const reply = await model({ system, tools, messages })
    messages.push({ role: 'assistant', content: reply.text })
    if (reply.calls.length === 0) return reply.text
    for (const call of reply.calls) {
      const answer = await session.answer(call) // nothing to answer: the call is fine, run it
      messages.push({ role: 'tool', content: answer?.text ?? (await run(call)) })
    }
  }
  throw new Error('no end after 20 steps')
}
