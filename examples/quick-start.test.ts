import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { chat } from './quick-start.ts'
import { type Message, type ModelRequest, scriptedModel } from './scripted-model.ts'

it('finds, loads and calls a tool', async () => {
  const requests: ModelRequest[] = []
  const model = scriptedModel([
    { text: '', calls: [{ name: 'tool_search', arguments: { query: 'refund a payment' } }] },
    {
      text: '',
      calls: [
        {
          name: 'mcp__payments__refund_payment',
          arguments: { payment_id: 'pay_7', reason: 'duplicate' },
        },
      ],
    },
    { text: 'Refunded.', calls: [] },
  ])
  const messages: Message[] = [{ role: 'user', content: 'Refund pay_7, it was charged twice.' }]
  const ran: string[] = []

  const text = await chat(
    messages,
    (request) => {
      requests.push(structuredClone(request))
      return model(request)
    },
    async (call) => {
      ran.push(call.name)
      return 'done'
    },
  )

  expect(text).toBe('Refunded.')
  expect(ran).toEqual(['mcp__payments__refund_payment'])
  const names = requests.map((request) => request.tools.map((tool) => tool.name))
  expect(names[0]).toEqual(['tool_search', 'read_file', 'write_file', 'run_command', 'ask_user'])
  expect(names[1]).toContain('mcp__payments__refund_payment')
  expect(names[2]).toEqual(names[1])
  expect(requests[0]!.system).toBe(requests[2]!.system)
})

it('matches the example in the README', () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
  expect(read('../README.md')).toContain(`\`\`\`ts\n${read('./quick-start.ts')}\`\`\``)
})
