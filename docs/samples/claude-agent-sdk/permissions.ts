import { query } from '@anthropic-ai/claude-agent-sdk'
import { createToolSearch } from 'toolsearch'
import { claudeAgentSdk } from 'toolsearch/claude-agent-sdk'

const toolSearch = createToolSearch({
  tools: [
    {
      name: 'list_payments',
      description: 'List the payments of a customer',
      annotations: { readOnlyHint: true },
      execute: () => ['pay_7'],
    },
    { name: 'refund_payments', description: 'Return all payments', execute: () => 'Refunded.' },
  ],
  activation: 'always',
})
const session = await toolSearch.session('chat-42')

for await (const message of query({
  prompt: 'Refund all payments.',
  options: {
    mcpServers: { tools: claudeAgentSdk(session) },
    allowedTools: ['mcp__tools__tool_search'],
    canUseTool: async (toolName, input) => {
      // only call_tool has another tool inside: a field "name" of other tools means something else
      const isWrapped = toolName === 'mcp__tools__call_tool'
      const name = isWrapped ? String(input.name) : toolName.replace('mcp__tools__', '')
      const tool = toolSearch.catalogue.get(name)
      return tool?.annotations.readOnlyHint
        ? { behavior: 'allow', updatedInput: input }
        : { behavior: 'deny', message: 'Only tools that read are allowed.' }
    },
  },
})) {
  if (message.type === 'result' && message.subtype === 'success') console.log(message.result)
}
