import type { LlmRequest } from '@google/adk'
import type { BridgeAnswer } from '../../bridge/bridge.ts'
import { isBeforeGemini3 } from '../../is-before-gemini-3.ts'
import { isGeminiNestable } from '../../outputs/gemini-media.ts'
import { partText } from '../../outputs/parts-text.ts'

/** Where a response keeps its media in ADK's session, which has no other place for them. */
const MEDIA = 'toolsearchMedia'

type Content = LlmRequest['contents'][number]
type Media = { inlineData: { mimeType: string; data: string } }

/** What `runAsync` returns for an answer. Media that Gemini rejects in a response become text. */
export function toResponse({ parts, isError }: BridgeAnswer): Record<string, unknown> {
  const text = parts
    .filter((part) => !isGeminiNestable(part))
    .map(partText)
    .join('\n\n')
  const media = parts
    .filter(isGeminiNestable)
    .map(({ mimeType, data }) => ({ inlineData: { mimeType, data } }))
  return { [isError ? 'error' : 'output']: text, ...(media.length > 0 && { [MEDIA]: media }) }
}

/**
 * Moves the media of responses to where Gemini reads them. Models before Gemini 3 read only text there,
 * so they get a note instead. Depends on nothing else, so the same history gives the same bytes.
 */
export function withMedia({ contents, model }: LlmRequest): Content[] {
  return contents.map((content) => {
    if (!content.parts?.some((part) => MEDIA in (part.functionResponse?.response ?? {})))
      return content
    const parts = content.parts.map((part) => {
      const { [MEDIA]: media, ...response } = part.functionResponse?.response ?? {}
      if (media === undefined) return part
      const own = { ...part.functionResponse, response }
      if (!isBeforeGemini3(model))
        return { ...part, functionResponse: { ...own, parts: media as Media[] } }
      const types = (media as Media[]).map(({ inlineData }) => inlineData.mimeType).join(', ')
      const note = `[${types} left out: this model reads only text in results]`
      return { ...part, functionResponse: { ...own, response: { ...response, note } } }
    })
    return { ...content, parts }
  })
}
