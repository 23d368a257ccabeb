import { readFileSync } from 'node:fs'
import Anthropic from '@anthropic-ai/sdk'
import { createToolSearch } from 'toolsearch'
import { anthropicMessages, startCheckingServer } from 'toolsearch-checking-server'
import { afterEach, expect, it } from 'vitest'
import { chat } from './anthropic.ts'
import { myTools } from './my-tools.ts'

const servers: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

it('finds, loads and calls a tool', async () => {
  const server = await startCheckingServer({
    service: anthropicMessages(),
    replies: [
      { calls: [{ name: 'tool_search', arguments: { query: 'refund a payment' } }] },
      {
        calls: [
          {
            name: 'mcp__payments__refund_payment',
            arguments: { payment_id: 'pay_7', reason: 'duplicate' },
          },
        ],
      },
      { text: 'Refunded.' },
    ],
  })
  servers.push(server)
  const client = new Anthropic({ apiKey: 'key', baseURL: server.url, maxRetries: 0 })
  const ran: string[] = []
  const execute = () => {
    ran.push('refund')
    return 'done'
  }
  const tools = myTools.map((tool) => ({ ...tool, execute }))
  const session = await createToolSearch({ tools }).session('chat-42')

  const messages = await chat(client, session, 'Refund pay_7, it was charged twice.')

  expect(ran).toEqual(['refund'])
  expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: [{ text: 'Refunded.' }] })
  expect(server.requests.flatMap(({ problem }) => problem ?? [])).toEqual([])
})

it('matches the example in the README', () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
  expect(read('../README.md')).toContain(`\`\`\`ts\n${read('./anthropic.ts')}\`\`\``)
})
