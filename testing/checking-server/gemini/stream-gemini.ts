import { eventText, splitText } from '../streaming.ts'
import type { EncodedContent } from './encode-gemini.ts'
import type { Part } from './gemini-body.ts'

/** The chunks of a streamed response. Text is split, but a call is always in one chunk. */
export function streamGemini(response: EncodedContent): string[] {
  const [{ content, finishReason }] = response.candidates
  const pieces = content.parts.flatMap(splitPart)
  return pieces.map((part, index) => {
    const isLast = index === pieces.length - 1
    const candidate = { index: 0, content: { ...content, parts: [part] } }
    const chunk = {
      ...response,
      candidates: [isLast ? { ...candidate, finishReason } : candidate],
    }
    return eventText(chunk).replaceAll('\n', '\r\n')
  })
}

function splitPart(part: Part): Part[] {
  return part.text === undefined ? [part] : splitText(part.text).map((text) => ({ text }))
}
