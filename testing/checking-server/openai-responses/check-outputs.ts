import { typeOfDataUrl } from '../media.ts'
import { missingParameter, openaiProblem } from '../openai/openai-problem.ts'
import type { Problem } from '../problem.ts'
import { itemsOf, type ResponsesBody } from './responses-body.ts'

const OUTPUTS = ['function_call_output', 'custom_tool_call_output']
const TYPES = ['input_text', 'input_image', 'input_file']
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

interface Content {
  type?: string
  text?: unknown
  image_url?: string | null
  file_id?: string | null
  file_data?: string | null
  file_url?: string | null
  filename?: string | null
}

/** The output of a call is a string or a list of texts, images and files. */
export function checkOutputs(body: ResponsesBody): Problem | undefined {
  for (const [index, item] of itemsOf(body).entries()) {
    if (!OUTPUTS.includes(item.type ?? '')) continue
    const param = `input[${index}].output`
    const { output } = item as { output?: unknown }
    if (typeof output === 'string') continue
    if (!Array.isArray(output)) return invalid(param, 'expected a string or an array of objects')
    for (const [at, content] of output.entries()) {
      const problem = checkContent(content, `${param}[${at}]`)
      if (problem) return problem
    }
  }
  return undefined
}

function checkContent(content: Content, param: string): Problem | undefined {
  const { type, text, image_url: image, file_id: id, file_data: data, file_url: url } = content
  if (!TYPES.includes(type ?? '')) {
    const known = TYPES.map((name) => `'${name}'`).join(', ')
    return openaiProblem(400, `Invalid value: '${type}'. Supported values are: ${known}.`, {
      param: `${param}.type`,
      code: 'invalid_value',
    })
  }
  if (type === 'input_text') {
    return typeof text === 'string' ? undefined : invalid(`${param}.text`, 'expected a string')
  }
  if (type === 'input_image') {
    if (id) return undefined
    if (!image) return missingParameter(`${param}.image_url`)
    if (/^https?:\/\//.test(image) || IMAGE_TYPES.includes(typeOfDataUrl(image) ?? '')) {
      return undefined
    }
    return openaiProblem(
      400,
      `Invalid '${param}.image_url'. Expected a valid URL or a base64-encoded data URL with a supported image type.`,
      { param: `${param}.image_url`, code: 'invalid_value' },
    )
  }
  if (id || url) return undefined
  if (!data) return missingParameter(`${param}.file_data`)
  if (!content.filename) return missingParameter(`${param}.filename`)
  return typeOfDataUrl(data) === undefined
    ? invalid(`${param}.file_data`, 'expected a base64-encoded data URL')
    : undefined
}

function invalid(param: string, expected: string): Problem {
  return openaiProblem(400, `Invalid type for '${param}': ${expected}.`, {
    param,
    code: 'invalid_type',
  })
}
