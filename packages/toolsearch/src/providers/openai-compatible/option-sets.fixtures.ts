import type { Service } from 'toolsearch-checking-server'

type Fields = Record<string, unknown>

/** How an endpoint differs from OpenAI's. */
interface Quirks {
  /** Why it rejects a request that OpenAI would accept. */
  rejects?(body: Fields): string | undefined
  /** Changes the message of a reply. */
  message?(message: Fields): Fields
  /** Changes the chunks of a streamed reply. */
  chunks?(deltas: Fields[]): Fields[]
}

/** Adds an endpoint's quirks to a service. */
export function endpoint({ rejects, message, chunks }: Quirks): (service: Service) => Service {
  return (service) => ({
    ...service,
    check(body, headers) {
      const problem = service.check(body, headers)
      const reason = rejects?.(body as Fields)
      return problem ?? (reason === undefined ? undefined : service.problem(400, reason))
    },
    encode(reply, body) {
      const encoded = service.encode(reply, body) as { choices: [{ message: Fields }] }
      const [choice] = encoded.choices
      return {
        ...encoded,
        choices: [{ ...choice, message: message?.(choice.message) ?? choice.message }],
      }
    },
    stream(reply, body) {
      const events = service.stream(reply, body)
      const read = events.slice(0, -1).map((event) => JSON.parse(event.replace(/^data: /, '')))
      const deltas = read.map((chunk) => chunk.choices[0].delta as Fields)
      const last = read.at(-1)
      const written = [...(chunks?.(deltas.slice(0, -1)) ?? deltas.slice(0, -1))].map((delta) => ({
        ...last,
        choices: [{ index: 0, delta, finish_reason: null }],
      }))
      return [...written, last]
        .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
        .concat(events.at(-1)!)
    },
  })
}

/** The messages of a request that contain calls. */
export function messagesWithCalls(body: Fields): Fields[] {
  return (body.messages as Fields[]).filter((message) => message.tool_calls !== undefined)
}

/** The error of Qwen's chat template for a system message that is not the first message. */
export function misplacedSystemError(body: Fields): string | undefined {
  const roles = (body.messages as Fields[]).map((message) => message.role)
  return roles.lastIndexOf('system') > 0 ? 'System message must be at the beginning.' : undefined
}
