import { isObject } from '../is-object.ts'

/** A value as the model reads it: JSON, or a sentence that says why it cannot be JSON. Never throws. */
export function dataText(data: unknown): { text: string; isError: boolean } {
  if (data === undefined) return { text: '', isError: false }
  try {
    const text = JSON.stringify(data, jsonValue)
    if (text !== undefined) return { text, isError: false }
    return unreadable(`it is a ${typeof data}`)
  } catch (error) {
    return unreadable(errorText(error).split('\n')[0]!)
  }
}

/** The message of anything that was thrown. Never throws. */
export function errorText(error: unknown): string {
  try {
    const message = (error as Partial<Error> | null | undefined)?.message
    if (typeof message === 'string' && message !== '') return message
    return error instanceof Error ? error.name : String(error)
  } catch {
    // an object without a prototype has no text
    return 'Unknown error'
  }
}

function unreadable(reason: string): { text: string; isError: boolean } {
  const text = `The tool ran, but its result cannot be written as JSON: ${reason}`
  return { text, isError: true }
}

/** Rejects the values that JSON would silently turn into `{}` or into a list of numbers. */
function jsonValue(this: unknown, key: string, value: unknown): unknown {
  const original = (this as Record<string, unknown>)[key]
  if (ArrayBuffer.isView(original)) fail(original, key, 'it has bytes without a media type')
  if (value instanceof Error) return errorText(value)
  if (!isObject(value) || isPlain(value) || Object.keys(value).length > 0) return value
  return fail(value, key, 'it has no fields that JSON can represent')
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  // a plain object of another realm has a different Object.prototype
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function fail(value: object, key: string, reason: string): never {
  const name = Object.prototype.toString.call(value).slice(8, -1)
  const kind = name === 'Object' ? (value.constructor?.name ?? name) : name
  const place = key === '' ? 'a value' : `the field "${key}"`
  throw new Error(`${place} of type ${kind} was returned, and ${reason}.`)
}
