import { checkReply } from './check-reply.ts'
import type { Problem } from './problem.ts'
import { type RecordedRequest, readRequest } from './recorded-request.ts'
import type { Reply } from './reply.ts'
import { addScriptError } from './script-errors.ts'
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

/** A service that records requests, however they arrive. */
export interface CheckedService {
  /** Every request so far, including rejected ones. */
  requests: readonly RecordedRequest[]
  /** Rejects if the body cannot be read to its end. */
  answer(request: Request): Promise<Response>
}

/**
 * Records requests, rejects those that the real service would reject, and answers the others from a
 * script.
 */
export function checkedService({ service, replies = [] }: CheckingServerOptions): CheckedService {
  const requests: RecordedRequest[] = []
  let usedReplies = 0

  function reply(request: RecordedRequest): Response {
    const problem = problemWith(service, request)
    if (problem) return reject(request, problem)
    const next = replies[usedReplies] ?? { text: 'Done.' }
    usedReplies += 1
    const written = typeof next === 'function' ? next(request) : next
    if (!written.unconstrained) checkReply(written, service.callableTools(request.body, written))
    return service.streams(request.body, request.path)
      ? eventResponse(service.stream(written, request.body))
      : Response.json(service.encode(written, request.body))
  }

  return {
    requests,
    async answer(incoming) {
      const request = await readRequest(incoming)
      requests.push(request)
      try {
        return reply(request)
      } catch (error) {
        addScriptError(error)
        return reject(request, service.problem(500, `The checking server failed: ${error}`))
      }
    },
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

function reject(request: RecordedRequest, problem: Problem): Response {
  request.problem = problem
  return Response.json(problem.body, { status: problem.status })
}

/** Each event is a chunk of its own. */
function eventResponse(events: readonly string[]): Response {
  const encoder = new TextEncoder()
  const body = new ReadableStream({
    start(controller) {
      for (const event of events) controller.enqueue(encoder.encode(event))
      controller.close()
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
}
