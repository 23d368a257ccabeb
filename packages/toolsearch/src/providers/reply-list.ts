import { isObject } from '../is-object.ts'
import { InvalidReplyError } from './adapter-errors.ts'

/** The list that every reply of a provider has in `field`. @throws InvalidReplyError */
export function replyList(reply: unknown, field: string, provider: string): readonly unknown[] {
  const list = isObject(reply) ? reply[field] : undefined
  if (!Array.isArray(list)) throw new InvalidReplyError(provider, `"${field}" is not a list`)
  return list
}
