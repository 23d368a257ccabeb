import { hashText } from '../../catalogue/hash-text.ts'
import { isObject } from '../../is-object.ts'
import { parseArguments } from '../../tool-search/parse-arguments.ts'

/** A call from an endpoint, with a form that every endpoint accepts in a history. */
export interface SendableCall {
  readonly id: string
  readonly name: string
  readonly arguments: unknown
  /** The call to put into the history. */
  readonly sent: Readonly<Record<string, unknown>>
  /** A call to a custom tool, whose input is plain text. Only `extraTools` can contain one. */
  readonly isCustom?: true
}

/**
 * Reads the calls in an assistant message. `sent` is the original object unless something in it has
 * to be fixed: a missing or repeated id, arguments that are an object or truncated JSON, or a name
 * with invalid characters. Calls without a name are omitted.
 *
 * `seed` distinguishes the generated ids of different replies.
 */
export function sendableCalls(calls: unknown, seed = ''): SendableCall[] {
  if (!Array.isArray(calls)) return []
  const ids = new Set<string>()
  return calls.flatMap((call: unknown, index): SendableCall[] => {
    if (!isObject(call)) return []
    if (isObject(call.custom)) {
      const { name, input } = call.custom
      const id = String(call.id)
      return [{ id, name: String(name), arguments: { input }, sent: call, isCustom: true }]
    }
    const called = isObject(call.function) ? call.function : {}
    const { name, arguments: args } = called
    if (typeof name !== 'string' || name === '') return []
    const hasId = typeof call.id === 'string' && call.id !== '' && !ids.has(call.id)
    const id = hasId ? String(call.id) : generateId(`${seed} ${index} ${JSON.stringify(called)}`)
    ids.add(id)
    const valid = { name: validName(name), arguments: validJson(args) }
    const isValid =
      call.id === id && call.type === 'function' && name === valid.name && args === valid.arguments
    const sent = isValid
      ? call
      : { ...call, id, type: 'function', function: { ...called, ...valid } }
    return [{ id, name, arguments: parseArguments(args), sent }]
  })
}

/** Nine letters and digits, as Mistral's models require. Other models accept any string. */
function generateId(text: string): string {
  return hashText(text).slice(0, 9)
}

function validName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64)
}

/** Servers parse the arguments of earlier calls again and fail on invalid JSON. */
function validJson(args: unknown): string {
  if (typeof args !== 'string') return JSON.stringify(args ?? {})
  return parseJson(args) === undefined ? '{}' : args
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
