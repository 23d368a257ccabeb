import type { Repair, Repaired } from '../provider.ts'
import { LEFT_OUT } from '../repair-words.ts'
import { type Placed, pairResponses } from './pair-responses.ts'
import { callIn, type GeminiContent, isModel, isSendable, partsOf, text } from './parts.ts'

/** Makes a history that the service accepts. What is fine as it stands stays the same object. */
export function repair<Message extends GeminiContent>(
  messages: readonly Message[],
): Repaired<Message> {
  const repairs: Repair[] = []
  const full = messages.map((message, at) => dropUnsendable(message, at, repairs))
  const paired = pairResponses(full, repairs)
  const whole = precedeWithUser(paired, repairs)
  if (repairs.length === 0) return { messages, repairs }
  return { messages: whole as Message[], repairs }
}

/** A content that is left empty keeps its place until the pairs are made. */
function dropUnsendable(content: GeminiContent, at: number, repairs: Repair[]): GeminiContent {
  const before = partsOf(content)
  const after = before.filter((part) => isSendable(part, isModel(content)))
  if (after.length > 0 && after.length === before.length) return content
  repairs.push({ kind: 'empty-dropped', about: String(content.role ?? 'user'), at })
  return { ...content, parts: after }
}

/** The user begins, and stands before calls; a response counts as the user's. */
function precedeWithUser(placed: readonly Placed[], repairs: Repair[]): GeminiContent[] {
  return placed.flatMap(({ content, at }, index) => {
    const before = placed[index - 1]?.content
    const isFirst = before === undefined
    const needsUser = isFirst || (isModel(before) && partsOf(content).some(callIn))
    if (!isModel(content) || !needsUser) return [content]
    repairs.push({ kind: 'start-added', about: 'user', at })
    const words = isFirst ? LEFT_OUT : 'Go on.'
    return [{ role: 'user', parts: [text(words)] }, content]
  })
}
