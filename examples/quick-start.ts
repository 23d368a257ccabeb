import { createToolSearch } from 'toolsearch'
import { myTools } from './my-tools.ts'
import type { Message, Model, RunTool } from './scripted-model.ts'

const toolSearch = createToolSearch({ tools: myTools })

export async function chat(messages: Message[], model: Model, run: RunTool): Promise<string> {
  const session = await toolSearch.session('chat-42')
  for (let step = 0; step < 20; step++) {
    const { tools, system, notice } = await session.turn()
    if (notice) messages.push({ role: 'user', content: notice })
    const reply = await model({ system, tools, messages })
    messages.push({ role: 'assistant', content: reply.text })
    if (reply.calls.length === 0) return reply.text
    for (const call of reply.calls) {
      const answer = await session.answer(call) // undefined for a valid call: run it
      messages.push({ role: 'tool', content: answer?.text ?? (await run(call)) })
    }
  }
  throw new Error('The model did not finish within 20 steps.')
}
