import { hashText } from '../../catalogue/hash-text.ts'
import { isObject } from '../../is-object.ts'
import { parseArguments } from '../../tool-search/parse-arguments.ts'

/** A call as an endpoint gave it, beside the form in which every endpoint takes it back. */
export interface SendableCall {
  readonly id: string
  readonly name: string
  readonly arguments: unknown
  readonly sent: Readonly<Record<string, unknown>>
  /** A call of a tool that takes a plain text: whoever listed that has to answer it. */
  readonly isCustom?: true
}

/**
 * The calls of an assistant message. `sent` is the given object, or one in which is mended what is
 * odd about it: no id, or the id of another call; arguments that are an object, or no JSON because
 * the reply was cut off; a name with signs that no tool may have. A call without a name is left out.
 *
 * `seed` keeps the made-up ids of different replies apart.
 */
export function sendableCalls(calls: unknown, seed = ''): SendableCall[] {
  if (!Array.isArray(calls)) return []
  const ids = new Set<string>()
  return calls.flatMap((call: unknown, index): SendableCall[] => {
    if (!isObject(call)) return []
    if (isObject(call.custom)) {
      const id = String(call.id)
      return [{ id, name: String(call.custom.name), arguments: {}, sent: call, isCustom: true }]
    }
    const given = isObject(call.function) ? call.function : {}
    const { name, arguments: args } = given
    if (typeof name !== 'string' || name === '') return []
    const hasId = typeof call.id === 'string' && call.id !== '' && !ids.has(call.id)
    const id = hasId ? String(call.id) : madeUpId(`${seed} ${index} ${JSON.stringify(given)}`)
    ids.add(id)
    const wanted = { name: sendableName(name), arguments: jsonText(args) }
    const isFine =
      call.id === id &&
      call.type === 'function' &&
      name === wanted.name &&
      args === wanted.arguments
    const sent = isFine
      ? call
      : { ...call, id, type: 'function', function: { ...given, ...wanted } }
    return [{ id, name, arguments: parseArguments(args), sent }]
  })
}

/** Nine letters and digits, as Mistral's models want it; all others take any text. */
function madeUpId(text: string): string {
  return hashText(text).slice(0, 9)
}

function sendableName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64)
}

/** Servers read the arguments of old calls again, and fail on what is no JSON. */
function jsonText(args: unknown): string {
  if (typeof args !== 'string') return JSON.stringify(args ?? {})
  return parsed(args) === undefined ? '{}' : args
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
