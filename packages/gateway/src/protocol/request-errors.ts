import { sizeUpTo } from './check-size.ts'
import { MAX_DEPTH } from './is-too-deep.ts'
import type { JsonObject } from './json-object.ts'
import { isObject, textOf } from './json-object.ts'
import { UpstreamError } from './upstream-error.ts'
import { MAX_VALUES } from './value-counter.ts'

/** So much of an error of a server is passed on, in characters. */
const MAX_ERROR = 20_000

/** Creates the errors for requests to one server. Their messages say what to do. */
export interface RequestErrors {
  /** @param how how the connection ended, as a verb phrase such as `exited with code 1` */
  died(how: string | undefined): UpstreamError
  refused(method: string, error: unknown): UpstreamError
  cancelled(method: string): UpstreamError
  timeout(method: string, ms: number): UpstreamError
  tooLarge(method: string, bytes: number): UpstreamError
  tooDeep(method: string): UpstreamError
  invalidAnswer(method: string): UpstreamError
}

export function requestErrors(server: string): RequestErrors {
  return {
    died(how = 'closed the connection') {
      return new UpstreamError(
        'died',
        server,
        `${server} ${how} before it answered. The gateway reconnects automatically. Repeat the call only if it is safe to run twice.`,
      )
    },
    refused(method, error) {
      const { code, message, data } = (isObject(error) ? error : {}) as JsonObject
      const answer = {
        code: typeof code === 'number' ? code : -32603,
        message: clipped(textOf(message)),
        ...(data !== undefined && sizeUpTo(MAX_ERROR, data) < MAX_ERROR && { data }),
      }
      const text = `${server} returned an error for ${method}: ${JSON.stringify(answer.message)}`
      return new UpstreamError('refused', server, text, { answer })
    },
    cancelled(method) {
      return new UpstreamError('cancelled', server, `${method} to ${server} was cancelled.`)
    },
    timeout(method, ms) {
      return new UpstreamError(
        'timeout',
        server,
        `${server} did not answer ${method} within ${ms} ms. Increase its "callMs" if it needs more time.`,
      )
    },
    tooLarge(method, bytes) {
      const kilobytes = Math.round(bytes / 1024)
      const size = kilobytes < 1024 ? `${kilobytes} kB` : `${Math.round(kilobytes / 1024)} MB`
      return new UpstreamError(
        'too-large',
        server,
        `${server} answered ${method} with ${size} or more, which exceeds the maximum message size. Request less data, or increase its "messageBytes". ${MAX_VALUES.toLocaleString('en')} values are the maximum in any case.`,
      )
    },
    tooDeep(method) {
      return new UpstreamError(
        'protocol',
        server,
        `${server} answered ${method} with a message nested deeper than ${MAX_DEPTH} levels.`,
      )
    },
    invalidAnswer(method) {
      return new UpstreamError(
        'protocol',
        server,
        `${server} answered ${method} with neither a result nor an error.`,
      )
    },
  }
}

function clipped(message: string): string {
  return message.length > MAX_ERROR ? `${message.slice(0, MAX_ERROR).toWellFormed()}…` : message
}
