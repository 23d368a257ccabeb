import { isObject } from '../is-object.ts'

/** `developer`: where the Responses API has notices. `human`: the type of a message of LangChain. */
const ROLES: readonly unknown[] = ['user', 'developer', 'human']

/**
 * The texts of a message that is neither a reply nor a result, in the shape of any provider.
 * Undefined for any other message.
 */
export function userTexts(message: unknown): readonly string[] | undefined {
  if (!isObject(message) || !ROLES.includes(message.role ?? message.type)) return undefined
  const { content = message.parts } = message
  const parts = typeof content === 'string' ? [content] : Array.isArray(content) ? content : []
  return parts
    .map((part: unknown) => (isObject(part) ? part.text : part))
    .filter((part) => typeof part === 'string')
}
