import { createToolSearch } from 'toolsearch'

const tools = Array.from({ length: 200 }, (_, index) => ({
  name: `tool_${index}`,
  description: 'A tool with a description that takes some tokens in every request.',
}))
const session = await createToolSearch({ tools }).session('chat-42')
const turn = await session.turn()
const { eager, sent, saved, savedShare } = session.report(turn)
console.log({ eager, sent, saved, savedShare })
