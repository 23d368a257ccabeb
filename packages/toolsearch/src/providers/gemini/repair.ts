import type { IndexedRepair, Repair } from '../provider.ts'
import { OMITTED_START } from '../repair-texts.ts'
import { type IndexedContent, pairResponses } from './pair-responses.ts'
import { callIn, type GeminiContent, isModel, isSendable, partsOf, text } from './parts.ts'
import { signedContent } from './thought-signature.ts'

/**
 * Makes a history acceptable to the service. Contents that are fine stay the same objects.
 * `addSignatures` is for Gemini 3 and later, which reject calls without a thought signature. Earlier
 * models ignore signatures.
 */
export function repair<Message extends GeminiContent>(
  messages: readonly Message[],
  addSignatures = false,
): IndexedRepair<Message> {
  const repairs: Repair[] = []
  const sendable = messages.map((message, at) => {
    const content = dropUnsendable(message, at, repairs)
    return addSignatures ? addSignature(content, at, repairs) : content
  })
  const paired = pairResponses(sendable, repairs)
  const repaired = insertUserContents(paired, repairs)
  if (repairs.length === 0) return { messages, repairs }
  return {
    messages: repaired.map(({ content }) => content as Message),
    repairs,
    indexes: repaired.map(({ at }) => at),
  }
}

/** A content that becomes empty keeps its place until calls and responses are paired. */
function dropUnsendable(content: GeminiContent, at: number, repairs: Repair[]): GeminiContent {
  const before = partsOf(content)
  const after = before.filter((part) => isSendable(part, isModel(content)))
  if (after.length > 0 && after.length === before.length) return content
  repairs.push({ kind: 'empty-dropped', about: String(content.role ?? 'user'), at })
  return { ...content, parts: after }
}

function addSignature(content: GeminiContent, at: number, repairs: Repair[]): GeminiContent {
  const signed = signedContent(content)
  if (signed !== content) repairs.push({ kind: 'signature-added', about: 'model', at })
  return signed
}

/**
 * The service requires a user content at the start of the history and before every content with
 * calls. Responses count as user contents.
 */
function insertUserContents(
  contents: readonly IndexedContent[],
  repairs: Repair[],
): IndexedContent[] {
  // The service also rejects a history from which everything was dropped.
  if (contents.length === 0 && repairs.length > 0) {
    repairs.push({ kind: 'start-added', about: 'user', at: 0 })
    return [{ content: userContent(OMITTED_START), at: 0 }]
  }
  return contents.flatMap((entry, index) => {
    const { content, at } = entry
    const previous = contents[index - 1]?.content
    const isFirst = previous === undefined
    const needsUser = isFirst || (isModel(previous) && partsOf(content).some(callIn))
    if (!isModel(content) || !needsUser) return [entry]
    repairs.push({ kind: 'start-added', about: 'user', at })
    return [{ content: userContent(isFirst ? OMITTED_START : 'Continue.'), at }, entry]
  })
}

function userContent(words: string): GeminiContent {
  return { role: 'user', parts: [text(words)] }
}
