import { cutInPieces, eventText } from '../streaming.ts'
import type { EncodedContent } from './encode-gemini.ts'
import type { Part } from './gemini-body.ts'

/** A response as its chunks. Text comes in pieces; a call comes whole, as the service sends it. */
export function streamGemini(response: EncodedContent): string[] {
  const [{ content, finishReason }] = response.candidates
  const pieces = content.parts.flatMap(inPieces)
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

function inPieces(part: Part): Part[] {
  return part.text === undefined ? [part] : cutInPieces(part.text).map((text) => ({ text }))
}
