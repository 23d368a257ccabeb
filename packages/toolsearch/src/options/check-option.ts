import { isListOfStrings } from '../is-list-of-strings.ts'
import { isObject } from '../is-object.ts'
import { typingErrors } from '../words/typing-errors.ts'
import { InvalidOptionError } from './invalid-option-error.ts'

/** Throws if the value of an option is wrong. @throws InvalidOptionError */
export type Check = (value: unknown, path: string) => void

/**
 * The options an object can have, each with its check. `undefined` always means "not given". A text
 * is for a name that people look for here: it says where that setting is.
 */
export type Shape = Readonly<Record<string, Check | string>>

/** Checks an options object: the value of each option, and that no other option is given. */
export function checkOptions(value: unknown, path: string, shape: Shape): void {
  if (!isObject(value)) fail(value, path, 'use an object')
  for (const key of Object.keys(value)) {
    const at = path === 'options' ? key : `${path}.${key}`
    const checkValue = Object.hasOwn(shape, key) ? shape[key] : undefined
    if (typeof checkValue !== 'function') failUnknown(key, value[key], at, path, shape)
    if (value[key] !== undefined) checkValue(value[key], at)
  }
}

/** @throws InvalidOptionError with a message such as `limit is 1.5; use a whole number` */
export function fail(value: unknown, path: string, fix: string): never {
  throw new InvalidOptionError(path, value, `${path} is ${show(value)}; ${fix}`)
}

/** @param fix what to do, such as "use a string" */
export function check(isValid: (value: unknown) => boolean, fix: string): Check {
  return (value, path) => {
    if (!isValid(value)) fail(value, path, fix)
  }
}

export const anything: Check = () => {}
export const text: Check = check((value) => typeof value === 'string', 'use a string')
export const name: Check = check(
  (value) => typeof value === 'string' && value.trim() !== '',
  'use a non-empty string',
)
export const flag: Check = check((value) => typeof value === 'boolean', 'use true or false')
export const callback: Check = check((value) => typeof value === 'function', 'use a function')
export const names: Check = check(isListOfStrings, 'use an array of strings')
/** Accepts signals of another realm or of a polyfill, too. */
export const abortSignal: Check = check(
  (value) => isObject(value) && typeof value.throwIfAborted === 'function',
  'use an AbortSignal',
)
/** A session. Callers often forget to await it. */
export const session: Check = check(
  (value) => isObject(value) && typeof value.turn === 'function',
  'pass a session: await toolSearch.session(id)',
)
/** What adapters of frameworks take, to open a session per conversation. */
export const toolSearch: Check = check(
  (value) => isObject(value) && typeof value.session === 'function',
  'pass the result of createToolSearch()',
)
/** The number of results a search returns. */
export const limit: Check = check(
  (value) => Number.isInteger(value) && (value as number) >= 0,
  'use a whole number, 0 or more',
)
/** A share of a whole. */
export const share: Check = check(
  (value) => typeof value === 'number' && value >= 0 && value <= 1,
  'use a share from 0 to 1 (10 % is 0.1)',
)

/** A number from `min` on. `Infinity` means no limit. */
export function number(min = 0): Check {
  return check((value) => typeof value === 'number' && value >= min, `use a number, ${min} or more`)
}

/** A whole number from `min` on. `Infinity` means no limit. */
export function count(min = 0): Check {
  return check(
    (value) =>
      typeof value === 'number' &&
      value >= min &&
      (Number.isInteger(value) || value === Number.POSITIVE_INFINITY),
    `use a whole number, ${min} or more`,
  )
}

/** One of the members of a union. Takes an object, so that the compiler notices a missing one. */
export function oneOf<Value extends string>(values: Readonly<Record<Value, true>>): Check {
  const known = Object.keys(values)
  return check((value) => known.includes(value as string), `use ${list(known)}`)
}

/** Options within an option. */
export function options(shape: Shape): Check {
  return (value, path) => checkOptions(value, path, shape)
}

/** Options within an option, of which all must be given except for the optional ones. */
export function complete(shape: Shape, optional: readonly string[] = []): Check {
  return (value, path) => {
    checkOptions(value, path, shape)
    for (const [key, checkValue] of Object.entries(shape)) {
      const isMissing = (value as Record<string, unknown>)[key] === undefined
      if (typeof checkValue === 'string') continue
      if (isMissing && !optional.includes(key)) checkValue(undefined, `${path}.${key}`)
    }
  }
}

/** An object with values of one kind. */
export function record(item: Check): Check {
  return (value, path) => {
    if (!isObject(value)) fail(value, path, 'use an object')
    for (const [key, one] of Object.entries(value)) item(one, `${path}.${key}`)
  }
}

/**
 * Reads a list of names: an array, a set or another iterable of strings. Reads it only once, because
 * an iterator can be consumed only once. A string is an iterable of its letters, but not a list.
 */
export function readNames(value: unknown, path: string, fix: string): ReadonlySet<string> {
  const isIterable = typeof value === 'object' && value !== null && Symbol.iterator in value
  if (!isIterable) fail(value, path, fix)
  const found = new Set<string>()
  for (const item of value as Iterable<unknown>) {
    if (typeof item !== 'string') fail(item, `an item of ${path}`, fix)
    found.add(item)
  }
  return found
}

function failUnknown(key: string, value: unknown, at: string, path: string, shape: Shape): never {
  const known = Object.keys(shape).filter((option) => typeof shape[option] === 'function')
  const closest = closestKey(key, known)
  const guess = closest
    ? `Did you mean "${closest}"?`
    : `The options are ${known.toSorted().join(', ')}.`
  const hint = Object.hasOwn(shape, key) ? shape[key] : guess
  const place = path === 'options' ? '' : ` in ${path}`
  throw new InvalidOptionError(at, value, `There is no option "${key}"${place}. ${hint}`)
}

/** The known key that was probably meant. Case and separators don't count. */
export function closestKey(
  key: string,
  known: readonly string[],
  maxErrors = 2,
): string | undefined {
  const letters = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')
  const wanted = letters(key)
  const errors = (name: string) => typingErrors(wanted, letters(name), 2)
  return known.filter((name) => errors(name) <= maxErrors).sort((a, b) => errors(a) - errors(b))[0]
}

function list(values: readonly string[]): string {
  const quoted = values.map((value) => `"${value}"`)
  return quoted.length < 2 ? quoted.join() : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
}

const MAX_SHOWN = 60

/** The value as a person would write it. */
function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(cut(value))
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null) return String(value)
  if (value instanceof Promise) return 'a promise'
  try {
    return cut(JSON.stringify(value) ?? 'an object')
  } catch {
    return Array.isArray(value) ? 'an array' : 'an object'
  }
}

function cut(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}
