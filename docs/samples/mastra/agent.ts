import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { createToolSearch } from 'toolsearch'
import { mastraTools, toolSearchProcessor } from 'toolsearch/mastra'
import { z } from 'zod'

const refund_payment = createTool({
  id: 'refund_payment',
  description: 'Return a payment to the customer',
  inputSchema: z.object({ payment: z.string() }),
  execute: async ({ payment }) => `Refunded ${payment}.`,
})
const tools = { refund_payment } // any number of tools
const toolSearch = createToolSearch({ tools: mastraTools(tools), activation: 'always' })

const agent = new Agent({
  id: 'support',
  name: 'Support',
  instructions: 'You help customers.',
  model: 'anthropic/claude-opus-5',
  inputProcessors: [toolSearchProcessor(toolSearch)],
})
const reply = await agent.stream('Refund pay_7.')
console.log(await reply.text)
