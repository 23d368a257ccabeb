import { isBase64 } from '../media.ts'
import type { Problem } from '../problem.ts'
import { anthropicProblem } from './anthropic-problem.ts'
import { type Block, blocksOf, type MessagesBody, placedBlocks } from './messages-body.ts'

const RESULT_TYPES = [
  'text',
  'image',
  'search_result',
  'document',
  'tool_reference',
  'browser_state',
]
const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']
const SOURCES: Record<string, readonly string[]> = {
  image: ['base64', 'url', 'file'],
  document: ['base64', 'text', 'content', 'url', 'file'],
}
const MAX_IMAGE_LENGTH = 5 * 1024 * 1024

interface Source {
  type?: string
  media_type?: string
  data?: string
  url?: string
}

/** What a tool result may contain, and the media in it and in other messages. */
export function checkResultContent(body: MessagesBody): Problem | undefined {
  for (const { block, path } of placedBlocks(body)) {
    if (block.type !== 'tool_result') {
      const problem = checkMedia(block, path)
      if (problem) return problem
      continue
    }
    const { is_error } = block as { is_error?: boolean }
    if (is_error && blocksOf(block.content).length === 0) {
      return anthropicProblem(
        400,
        `${path}.tool_result: content cannot be empty if \`is_error\` is true`,
      )
    }
    for (const [index, inner] of blocksOf(block.content).entries()) {
      const problem = checkInner(inner, `${path}.tool_result.content.${index}`)
      if (problem) return problem
      if (is_error && inner.type !== 'text') {
        return anthropicProblem(
          400,
          `${path}.tool_result: all content must be type \`text\` if \`is_error\` is true`,
        )
      }
    }
  }
  return undefined
}

function checkInner(block: Block, path: string): Problem | undefined {
  if (!RESULT_TYPES.includes(block.type)) {
    return anthropicProblem(
      400,
      `${path}: Input tag '${block.type}' found using 'type' does not match any of the expected tags: ${RESULT_TYPES.map((type) => `'${type}'`).join(', ')}`,
    )
  }
  return checkMedia(block, path)
}

function checkMedia(block: Block, path: string): Problem | undefined {
  const sources = SOURCES[block.type]
  if (sources === undefined) return undefined
  const { source = {} } = block as { source?: Source }
  const place = `${path}.${block.type}.source`
  if (!sources.includes(source.type ?? '')) {
    return anthropicProblem(
      400,
      `${place}: Input tag '${source.type}' found using 'type' does not match any of the expected tags`,
    )
  }
  if (source.type === 'url' && !source.url?.startsWith('https://')) {
    return anthropicProblem(400, `${place}.url: Only HTTPS URLs are supported.`)
  }
  if (source.type !== 'base64') return undefined
  const types = block.type === 'image' ? IMAGE_TYPES : ['application/pdf']
  if (!types.includes(source.media_type ?? '')) {
    return anthropicProblem(
      400,
      `${place}.base64.media_type: Input should be ${types.map((type) => `'${type}'`).join(', ')}`,
    )
  }
  if (!isBase64(source.data)) {
    return anthropicProblem(400, `${place}.base64.data: Invalid base64 data`)
  }
  const { length } = source.data!
  if (block.type === 'image' && length > MAX_IMAGE_LENGTH) {
    return anthropicProblem(
      400,
      `${place}.base64: image exceeds 5 MB maximum: ${length} bytes > ${MAX_IMAGE_LENGTH} bytes`,
    )
  }
  return undefined
}
