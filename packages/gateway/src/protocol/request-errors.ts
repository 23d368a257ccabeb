import { MAX_DEPTH } from './is-too-deep.ts'
import type { JsonObject } from './json-object.ts'
import { isObject } from './json-object.ts'
import { UpstreamError } from './upstream-error.ts'

/** Why a request to one server has no result, in words that say what to do. */
export interface RequestErrors {
  /** @param how a sentence on how the other side ended, without its subject */
  died(how: string | undefined): UpstreamError
  refused(method: string, error: unknown): UpstreamError
  cancelled(method: string): UpstreamError
  late(method: string, ms: number): UpstreamError
  tooLarge(method: string, bytes: number): UpstreamError
  tooDeep(method: string): UpstreamError
  neither(method: string): UpstreamError
}

export function requestErrors(server: string): RequestErrors {
  return {
    died(how = 'closed the connection') {
      return new UpstreamError(
        'died',
        server,
        `${server} ${how} before it answered. It is started again by itself; repeat the call if that does no harm.`,
      )
    },
    refused(method, error) {
      const { code, message, data } = (isObject(error) ? error : {}) as JsonObject
      const answer = {
        code: typeof code === 'number' ? code : -32603,
        message: String(message),
        ...(data !== undefined && { data }),
      }
      const text = `${server} answered ${method} with an error: ${answer.message}`
      return new UpstreamError('refused', server, text, { answer })
    },
    cancelled(method) {
      return new UpstreamError('cancelled', server, `${method} to ${server} was cancelled.`)
    },
    late(method, ms) {
      return new UpstreamError(
        'timeout',
        server,
        `${server} did not answer ${method} within ${ms} ms. Raise its "callMs" if it needs longer.`,
      )
    },
    tooLarge(method, bytes) {
      const size = `${Math.round(bytes / 1024 / 1024)} MB`
      return new UpstreamError(
        'too-large',
        server,
        `${server} answered ${method} with ${size}, which is more than a message may have. Ask for less.`,
      )
    },
    tooDeep(method) {
      return new UpstreamError(
        'protocol',
        server,
        `${server} answered ${method} with something that is nested deeper than ${MAX_DEPTH} levels.`,
      )
    },
    neither(method) {
      return new UpstreamError(
        'protocol',
        server,
        `${server} answered ${method} with neither a result nor an error.`,
      )
    },
  }
}
