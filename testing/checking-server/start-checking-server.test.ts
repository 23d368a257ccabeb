import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { anthropicMessages } from './anthropic/anthropic-messages.ts'
import { chatCompletions } from './chat-completions/chat-completions.ts'
import { gemini } from './gemini/gemini.ts'
import { inProcessServer } from './in-process-server.ts'
import { openaiResponses } from './openai-responses/openai-responses.ts'
import { takeScriptErrors } from './script-errors.ts'
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

function post(text: string, { path, headers }: Pick<Row, 'path' | 'headers'>): Promise<Response> {
  return fetch(`${server!.url}${path}`, { method: 'POST', headers, body: text })
}

const starts = [startCheckingServer, inProcessServer]
const rows = starts.flatMap((start) => services.map(([name, row]) => ({ start, name, ...row })))

describe.each(rows)('$start.name with $name', ({ start, service, path, headers, body }) => {
  const send = (text: string, to = path) => post(text, { path: to, headers })

  it('records the raw text and the parsed body of requests', async () => {
    server = await start({ service })
    const text = ` ${JSON.stringify(body)}`
    await send(text)
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]).toMatchObject({ method: 'POST', path, text, body, headers })
    expect(server.requests[0]).not.toHaveProperty('problem')
  })

  it('sends the replies in order, and then "Done."', async () => {
    const replies = [{ text: 'first' }, () => ({ text: 'second' })]
    server = await start({ service, replies })
    const answers: string[] = []
    for (let turn = 0; turn < 4; turn++)
      answers.push(await (await send(JSON.stringify(body))).text())
    for (const [index, text] of ['first', 'second', 'Done.', 'Done.'].entries()) {
      expect(answers[index]).toContain(text)
    }
  })

  it('passes the request to a function that creates the reply', async () => {
    server = await start({
      service,
      replies: [(request) => ({ text: `You sent ${Object.keys(request.body).length} fields` })],
    })
    const answer = await (await send(JSON.stringify(body))).text()
    expect(answer).toContain(`You sent ${Object.keys(body).length} fields`)
  })

  it('keeps the reply for the next request when it rejects a request', async () => {
    server = await start({ service, replies: [{ text: 'first' }] })
    const rejected = await send('{"nonsense":1}')
    expect(rejected.status).toBe(400)
    expect(server.requests[0]?.problem).toEqual({ status: 400, body: await rejected.json() })
    expect(await (await send(JSON.stringify(body))).text()).toContain('first')
  })

  it('rejects other paths and bodies that are not JSON objects', async () => {
    server = await start({ service })
    expect((await send(JSON.stringify(body), '/elsewhere')).status).toBe(404)
    for (const text of ['', 'no', '[]', '"x"', '{"half":']) {
      expect((await send(text)).status).toBe(400)
    }
  })

  it('reports an error that the script throws', async () => {
    server = await start({
      service,
      replies: [
        () => {
          throw new Error('no such turn')
        },
      ],
    })
    const answer = await send(JSON.stringify(body))
    expect(answer.status).toBe(500)
    expect(await answer.text()).toContain('no such turn')
    expect(takeScriptErrors().map(String)).toEqual(['Error: no such turn'])
  })
})

it.each(services)('keeps running if a client of %s disconnects', async (_, row) => {
  server = await startCheckingServer({ service: row.service })
  const { port } = new URL(server.url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.end(`POST ${row.path} HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"half"`)
  socket.destroySoon()
  await new Promise((resolve) => socket.once('close', resolve))
  expect((await post(JSON.stringify(row.body), row)).status).toBe(200)
})

describe('inProcessServer', () => {
  const [[, row]] = services as [[string, Row]]

  it('refuses connections after it was closed', async () => {
    server = inProcessServer({ service: row.service })
    await server.close()
    await expect(post(JSON.stringify(row.body), row)).rejects.toThrow('fetch failed')
  })

  it('answers no request that was cancelled', async () => {
    server = inProcessServer({ service: row.service })
    const signal = AbortSignal.abort(new Error('cancelled'))
    await expect(fetch(server.url, { method: 'POST', signal })).rejects.toThrow('cancelled')
    expect(server.requests).toEqual([])
  })

  it('leaves requests to other URLs alone', async () => {
    inProcessServer({ service: row.service })
    server = await startCheckingServer({ service: row.service, replies: [{ text: 'from afar' }] })
    expect(await (await post(JSON.stringify(row.body), row)).text()).toContain('from afar')
  })
})
