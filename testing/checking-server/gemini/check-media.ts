import { isBase64 } from '../media.ts'
import type { Problem } from '../problem.ts'
import type { Content, GeminiBody } from './gemini-body.ts'
import { geminiProblem, invalidField, unknownName } from './gemini-problem.ts'

const IN_CONTENT =
  /^(image\/(png|jpeg|webp|heic|heif)|audio\/.+|video\/.+|application\/pdf|text\/.+)$/
const IN_RESPONSE = /^(image\/(png|jpeg|webp)|application\/pdf|text\/plain)$/

interface Media {
  inlineData?: { data?: unknown; mimeType?: string }
  text?: string
}

/** Media have a supported type and valid bytes, and a content with function responses has nothing else. */
export function checkMedia(nestsMedia: boolean): (body: GeminiBody) => Problem | undefined {
  return ({ contents = [] }) => {
    for (const [index, content] of contents.entries()) {
      const problem = checkContent(content, `contents[${index}]`, nestsMedia)
      if (problem) return problem
    }
    return undefined
  }
}

function checkContent(
  { parts = [] }: Content,
  place: string,
  nestsMedia: boolean,
): Problem | undefined {
  const hasResponse = parts.some((part) => part.functionResponse)
  if (hasResponse && parts.some((part) => 'inlineData' in part || 'fileData' in part)) {
    return geminiProblem(
      400,
      'Please ensure that function response turn contains only function response parts.',
    )
  }
  for (const [at, part] of parts.entries()) {
    const problem =
      checkInlineData(part as Media, `${place}.parts[${at}]`, IN_CONTENT) ??
      checkResponse(part.functionResponse, `${place}.parts[${at}].function_response`, nestsMedia)
    if (problem) return problem
  }
  return undefined
}

function checkResponse(response: unknown, place: string, nestsMedia: boolean): Problem | undefined {
  const { parts } = (response ?? {}) as { parts?: readonly Media[] }
  if (parts === undefined) return undefined
  if (!nestsMedia) {
    return geminiProblem(400, 'Multimodal function responses are not supported by this model.')
  }
  for (const [index, part] of parts.entries()) {
    const path = `${place}.parts[${index}]`
    const extra = Object.keys(part).find((key) => key !== 'inlineData')
    if (extra !== undefined) return unknownName(extra, path)
    const problem = checkInlineData(part, path, IN_RESPONSE)
    if (problem) return problem
  }
  return undefined
}

function checkInlineData({ inlineData }: Media, place: string, types: RegExp): Problem | undefined {
  if (inlineData === undefined) return undefined
  const { data, mimeType = '' } = inlineData
  if (!isBase64(data)) return invalidField(`${place}.inline_data.data`, 'Base64 decoding failed')
  if (types.test(mimeType)) return undefined
  return geminiProblem(400, `Unsupported MIME type: ${mimeType}`)
}
