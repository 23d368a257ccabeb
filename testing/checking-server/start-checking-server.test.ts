import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { anthropicMessages } from './anthropic/anthropic-messages.ts'
import { chatCompletions } from './chat-completions/chat-completions.ts'
import { gemini } from './gemini/gemini.ts'
import { openaiResponses } from './openai-responses/openai-responses.ts'
import type { Service } from './service.ts'
import { type CheckingServer, startCheckingServer } from './start-checking-server.ts'

interface Row {
  service: Service
  path: string
  headers: Record<string, string>
  body: object
}

const messages = [{ role: 'user', content: 'Hello' }]
const services: [string, Row][] = [
  [
    'anthropicMessages',
    {
      service: anthropicMessages(),
      path: '/v1/messages?beta=true',
      headers: { 'x-api-key': 'k', 'anthropic-version': '2023-06-01' },
      body: { model: 'claude-opus-5', max_tokens: 9, messages },
    },
  ],
  [
    'openaiResponses',
    {
      service: openaiResponses(),
      path: '/v1/responses',
      headers: { authorization: 'Bearer k' },
      body: { model: 'gpt-5.6', input: 'Hello' },
    },
  ],
  [
    'chatCompletions',
    {
      service: chatCompletions(),
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer k' },
      body: { model: 'gpt-5.6', messages },
    },
  ],
  [
    'gemini',
    {
      service: gemini(),
      path: '/v1beta/models/gemini-3-pro:generateContent',
      headers: { 'x-goog-api-key': 'k' },
      body: { contents: [{ parts: [{ text: 'Hello' }] }] },
    },
  ],
]

let server: CheckingServer | undefined
afterEach(() => server?.close())

describe.each(services)('startCheckingServer with %s', (_, { service, path, headers, body }) => {
  const post = (text: string, to = path) =>
    fetch(`${server!.url}${to}`, { method: 'POST', headers, body: text })

  it('records the raw text and the parsed body of requests', async () => {
    server = await startCheckingServer({ service })
    const text = ` ${JSON.stringify(body)}`
    await post(text)
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]).toMatchObject({ method: 'POST', path, text, body, headers })
    expect(server.requests[0]).not.toHaveProperty('problem')
  })

  it('sends the replies in order, and then "Done."', async () => {
    const replies = [{ text: 'first' }, () => ({ text: 'second' })]
    server = await startCheckingServer({ service, replies })
    const answers: string[] = []
    for (let turn = 0; turn < 4; turn++)
      answers.push(await (await post(JSON.stringify(body))).text())
    for (const [index, text] of ['first', 'second', 'Done.', 'Done.'].entries()) {
      expect(answers[index]).toContain(text)
    }
  })

  it('passes the request to a function that creates the reply', async () => {
    server = await startCheckingServer({
      service,
      replies: [(request) => ({ text: `You sent ${Object.keys(request.body).length} fields` })],
    })
    const answer = await (await post(JSON.stringify(body))).text()
    expect(answer).toContain(`You sent ${Object.keys(body).length} fields`)
  })

  it('keeps the reply for the next request when it rejects a request', async () => {
    server = await startCheckingServer({ service, replies: [{ text: 'first' }] })
    const rejected = await post('{"nonsense":1}')
    expect(rejected.status).toBe(400)
    expect(server.requests[0]?.problem).toEqual({ status: 400, body: await rejected.json() })
    expect(await (await post(JSON.stringify(body))).text()).toContain('first')
  })

  it('rejects other paths and bodies that are not JSON objects', async () => {
    server = await startCheckingServer({ service })
    expect((await post(JSON.stringify(body), '/elsewhere')).status).toBe(404)
    for (const text of ['', 'no', '[]', '"x"', '{"half":']) {
      expect((await post(text)).status).toBe(400)
    }
  })

  it('keeps running if a client disconnects', async () => {
    server = await startCheckingServer({ service })
    const { port } = new URL(server.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.end(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"half"`)
    socket.destroySoon()
    await new Promise((resolve) => socket.once('close', resolve))
    expect((await post(JSON.stringify(body))).status).toBe(200)
  })

  it('reports an error that the script throws', async () => {
    server = await startCheckingServer({
      service,
      replies: [
        () => {
          throw new Error('no such turn')
        },
      ],
    })
    const answer = await post(JSON.stringify(body))
    expect(answer.status).toBe(500)
    expect(await answer.text()).toContain('no such turn')
  })
})
