import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { chat } from './quick-start.ts'
import { type ModelRequest, scriptedModel } from './scripted-model.ts'

it('finds, loads and runs a tool', async () => {
  const requests: ModelRequest[] = []
  const model = scriptedModel([
    { text: '', calls: [{ name: 'tool_search', arguments: { query: 'refund a payment' } }] },
    { text: '', calls: [{ name: 'refund_payment', arguments: { payment_id: 'pay_7' } }] },
    { text: 'Refunded.', calls: [] },
  ])

  const text = await chat((request) => {
    requests.push(structuredClone(request))
    return model(request)
  }, 'Refund pay_7, it was charged twice.')

  expect(text).toBe('Refunded.')
  const names = requests.map((request) => request.tools.map((tool) => tool.name))
  expect(names).toEqual([
    ['tool_search'],
    ['tool_search', 'refund_payment'],
    ['tool_search', 'refund_payment'],
  ])
  expect(requests[2]!.messages.at(-1)).toEqual({ role: 'tool', content: '{"refunded":"pay_7"}' })
  expect(requests[0]!.system).toBe(requests[2]!.system)
})

it('matches the example in the README', () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
  expect(read('../README.md')).toContain(`\`\`\`ts\n${read('./quick-start.ts')}\`\`\``)
})
