import { readFileSync } from 'node:fs'
import { jsonSchema, type ModelMessage, type ToolSet, tool } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { expect, it } from 'vitest'
import { chat } from './ai-sdk.ts'
import { myTools } from './my-tools.ts'

type Reply = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>

/** A model with scripted replies. */
function scriptedModel(...replies: readonly Reply['content'][]): MockLanguageModelV4 {
  const remaining = [...replies]
  return new MockLanguageModelV4({
    doGenerate: async () => {
      const content = remaining.shift() ?? []
      const isCall = content.some(({ type }) => type === 'tool-call')
      return {
        content,
        finishReason: { unified: isCall ? 'tool-calls' : 'stop', raw: undefined },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 1, text: 1, reasoning: 0 },
        },
        warnings: [],
      }
    },
  })
}

const call = (toolName: string, input: object): Reply['content'][number] => ({
  type: 'tool-call',
  toolCallId: `call_${toolName}`,
  toolName,
  input: JSON.stringify(input),
})

it('finds, loads and calls a tool, and keeps it for the next turn', async () => {
  const ran: unknown[] = []
  const tools: ToolSet = Object.fromEntries(
    myTools.map(({ name, description = '', inputSchema = {}, loading }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema<object>(inputSchema),
        ...(loading === 'eager' && { deferLoading: false }),
        execute: (input) => {
          ran.push([name, input])
          return 'done'
        },
      }),
    ]),
  )
  const refund = { payment_id: 'pay_7', reason: 'duplicate' }
  const model = scriptedModel(
    [call('tool_search', { query: 'refund a payment' })],
    [call('mcp__payments__refund_payment', refund)],
    [{ type: 'text', text: 'Refunded.' }],
    [{ type: 'text', text: 'You are welcome.' }],
  )
  const messages: ModelMessage[] = [
    { role: 'user', content: 'Refund pay_7, it was charged twice.' },
  ]

  expect(await chat('chat-42', messages, { model, tools })).toBe('Refunded.')
  messages.push({ role: 'user', content: 'Thank you.' })
  expect(await chat('chat-42', messages, { model, tools })).toBe('You are welcome.')

  expect(ran).toEqual([['mcp__payments__refund_payment', refund]])
  const names = model.doGenerateCalls.map(({ tools: sent = [] }) => sent.map(({ name }) => name))
  expect(names[0]).toEqual(['tool_search', 'read_file', 'write_file', 'run_command', 'ask_user'])
  expect(names[1]!.slice(0, 5)).toEqual(names[0])
  expect(names[1]).toContain('mcp__payments__refund_payment')
  expect(names.slice(2)).toEqual([names[1], names[1]])
})

it('matches the example in docs/ai-sdk.md', () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
  expect(read('../docs/ai-sdk.md')).toContain(`\`\`\`ts\n${read('./ai-sdk.ts')}\`\`\``)
})
