import type { LlmRequest } from '@google/adk'
import type { BridgeAnswer } from '../../bridge/bridge.ts'
import { GEMINI_NESTABLE } from '../../outputs/gemini-media.ts'
import type { MediaPart, OutputPart } from '../../outputs/output-part.ts'
import { partText } from '../../outputs/parts-text.ts'

/** Where a response keeps its media in ADK's session, which has no other place for them. */
const MEDIA = 'toolsearchMedia'

type Content = LlmRequest['contents'][number]
type Media = { inlineData: { mimeType: string; data: string } }

/** What `runAsync` returns for an answer. Media that Gemini rejects in a response become text. */
export function toResponse({ parts, isError }: BridgeAnswer): Record<string, unknown> {
  const text = parts
    .filter((part) => !isNestable(part))
    .map(partText)
    .join('\n\n')
  const media = parts
    .filter(isNestable)
    .map(({ mimeType, data }) => ({ inlineData: { mimeType, data } }))
  return { [isError ? 'error' : 'output']: text, ...(media.length > 0 && { [MEDIA]: media }) }
}

/**
 * Moves the media of responses to where Gemini reads them. Models before Gemini 3 read only text there,
 * so they get a note instead. Depends on nothing else, so the same history gives the same bytes.
 */
export function withMedia({ contents, model = '' }: LlmRequest): Content[] {
  const major = Number(/gemini-(\d+)/.exec(model)?.[1] ?? 3)
  return contents.map((content) => {
    if (!content.parts?.some((part) => MEDIA in (part.functionResponse?.response ?? {})))
      return content
    const parts = content.parts.map((part) => {
      const { [MEDIA]: media, ...response } = part.functionResponse?.response ?? {}
      if (media === undefined) return part
      const own = { ...part.functionResponse, response }
      if (major >= 3) return { ...part, functionResponse: { ...own, parts: media as Media[] } }
      const types = (media as Media[]).map(({ inlineData }) => inlineData.mimeType).join(', ')
      const note = `[${types} left out: this model reads only text in results]`
      return { ...part, functionResponse: { ...own, response: { ...response, note } } }
    })
    return { ...content, parts }
  })
}

function isNestable(part: OutputPart): part is MediaPart & { data: string } {
  return 'data' in part && part.data !== undefined && GEMINI_NESTABLE.test(part.mimeType)
}
