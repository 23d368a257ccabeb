import { isBase64, typeOfDataUrl } from '../media.ts'
import { openaiProblem } from '../openai/openai-problem.ts'
import type { Problem } from '../problem.ts'
import type { ChatBody } from './chat-body.ts'

const USER_TYPES = ['text', 'image_url', 'input_audio', 'file']
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

interface Part {
  type?: string
  image_url?: { url?: string }
  input_audio?: { data?: string; format?: string }
  file?: { file_data?: string; file_id?: string }
}

/** Only the user's messages may contain media, and only in supported formats. */
export function checkParts({ messages = [] }: ChatBody): Problem | undefined {
  for (const [index, { role, content }] of messages.entries()) {
    if (!Array.isArray(content)) continue
    for (const [at, part] of (content as readonly Part[]).entries()) {
      const param = `messages[${index}].content[${at}]`
      const problem = role === 'user' ? checkMedia(part, param) : checkText(part, role, param)
      if (problem) return problem
    }
  }
  return undefined
}

function checkText({ type }: Part, role: string, param: string): Problem | undefined {
  // the rules of deferral cover references
  if (type === 'text' || type === 'refusal' || type === 'tool_reference') return undefined
  return openaiProblem(
    400,
    `Invalid 'messages'. '${type}' is only allowed for messages with role 'user', but this message with role '${role}' contains it.`,
    { param, code: 'invalid_value' },
  )
}

function checkMedia(part: Part, param: string): Problem | undefined {
  const { type, image_url: image, input_audio: audio, file } = part
  if (!USER_TYPES.includes(type ?? '')) return invalid(`${param}.type`, `'${type}'`)
  if (type === 'image_url') {
    const { url = '' } = image ?? {}
    const isValid = /^https?:\/\//.test(url) || IMAGE_TYPES.includes(typeOfDataUrl(url) ?? '')
    return isValid ? undefined : invalid(`${param}.image_url.url`, 'the image')
  }
  if (type === 'input_audio') {
    const isValid = ['wav', 'mp3'].includes(audio?.format ?? '') && isBase64(audio?.data)
    return isValid ? undefined : invalid(`${param}.input_audio`, 'the audio')
  }
  if (type === 'file' && !file?.file_id) {
    const isValid = typeOfDataUrl(file?.file_data ?? '') === 'application/pdf'
    return isValid ? undefined : invalid(`${param}.file.file_data`, 'the file')
  }
  return undefined
}

function invalid(param: string, what: string): Problem {
  return openaiProblem(400, `Invalid value: ${what} is not supported.`, {
    param,
    code: 'invalid_value',
  })
}
