import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Problem } from './problem.ts'
import { type RecordedRequest, readRequest } from './recorded-request.ts'
import type { Reply } from './reply.ts'
import type { Service } from './service.ts'

export interface CheckingServerOptions {
  /** The API to imitate. */
  service: Service
  /**
   * The replies of the model, in order. A rejected request uses none of them. A function gets the
   * request that it answers. After the last reply the model says "Done."
   * @default []
   */
  replies?: readonly (Reply | ((request: RecordedRequest) => Reply))[]
}

export interface CheckingServer {
  /** `http://127.0.0.1:PORT`, without a path. */
  url: string
  /** Every request so far, including rejected ones. */
  requests: readonly RecordedRequest[]
  /** Also closes open connections. Can be called more than once. */
  close(): Promise<void>
}

/**
 * Starts a local server that records requests, rejects those that the real service would reject, and
 * answers the others from a script.
 *
 * @example
 * const server = await startCheckingServer({ service: anthropicMessages(), replies: [{ text: 'Hi' }] })
 * const client = new Anthropic({ baseURL: server.url, apiKey: 'any', maxRetries: 0 })
 */
export async function startCheckingServer({
  service,
  replies = [],
}: CheckingServerOptions): Promise<CheckingServer> {
  const requests: RecordedRequest[] = []
  let usedReplies = 0

  function answer(request: RecordedRequest, response: ServerResponse): void {
    const problem = problemWith(service, request)
    if (problem) {
      reject(request, response, problem)
      return
    }
    const next = replies[usedReplies] ?? { text: 'Done.' }
    usedReplies += 1
    const reply = typeof next === 'function' ? next(request) : next
    if (service.streams(request.body, request.path)) {
      sendEvents(response, service.stream(reply, request.body))
    } else {
      sendJson(response, 200, service.encode(reply, request.body))
    }
  }

  const server = createServer(async (incoming, response) => {
    const request = await readRequest(incoming).catch(() => undefined)
    // The client disconnected before it sent the complete request.
    if (!request) return
    requests.push(request)
    try {
      answer(request, response)
    } catch (error) {
      reject(request, response, service.problem(500, `The checking server failed: ${error}`))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        // Clients keep connections alive, and close() alone would wait for them.
        server.closeAllConnections()
      }),
  }
}

function problemWith(service: Service, { method, path, text, body, headers }: RecordedRequest) {
  if (method !== 'POST' || !service.matches(path)) {
    return service.problem(404, `Not found: ${method} ${path}`)
  }
  if (!text.trimStart().startsWith('{') || Object.keys(body).length === 0) {
    return service.problem(400, 'The request body is not valid JSON.')
  }
  return service.check(body, headers)
}

function reject(request: RecordedRequest, response: ServerResponse, problem: Problem): void {
  request.problem = problem
  sendJson(response, problem.status, problem.body)
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

function sendEvents(response: ServerResponse, events: readonly string[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  for (const event of events) response.write(event)
  response.end()
}
