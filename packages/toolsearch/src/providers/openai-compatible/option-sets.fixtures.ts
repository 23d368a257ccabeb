import type { Service } from 'toolsearch-checking-server'

type Fields = Record<string, unknown>

/** How an endpoint differs from OpenAI's own. */
interface Ways {
  /** Why it refuses a request that OpenAI would serve. */
  refuses?(body: Fields): string | undefined
  /** What it makes of the message in a reply. */
  message?(message: Fields): Fields
  /** What it makes of the chunks of a streamed reply. */
  chunks?(deltas: Fields[]): Fields[]
}

/** An endpoint that does what OpenAI's does, but in its own ways. */
export function endpoint({ refuses, message, chunks }: Ways): (service: Service) => Service {
  return (service) => ({
    ...service,
    check(body, headers) {
      const problem = service.check(body, headers)
      const reason = refuses?.(body as Fields)
      return problem ?? (reason === undefined ? undefined : service.problem(400, reason))
    },
    encode(reply, body) {
      const whole = service.encode(reply, body) as { choices: [{ message: Fields }] }
      const [choice] = whole.choices
      return {
        ...whole,
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
        .map((one) => `data: ${JSON.stringify(one)}\n\n`)
        .concat(events.at(-1)!)
    },
  })
}

/** The messages of a request that make calls. */
export function callers(body: Fields): Fields[] {
  return (body.messages as Fields[]).filter((message) => message.tool_calls !== undefined)
}

/** As Qwen's chat template has it. */
export function laterSystem(body: Fields): string | undefined {
  const roles = (body.messages as Fields[]).map((message) => message.role)
  return roles.lastIndexOf('system') > 0 ? 'System message must be at the beginning.' : undefined
}
