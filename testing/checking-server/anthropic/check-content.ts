import type { Problem } from '../problem.ts'
import { anthropicProblem } from './anthropic-problem.ts'
import { type Block, blocksOf, type MessagesBody, placedBlocks } from './messages-body.ts'

const ID = /^[a-zA-Z0-9_-]+$/

/** Messages, texts and lists of result blocks must not be empty, and calls must be well-formed. */
export function checkContent(body: MessagesBody): Problem | undefined {
  const { messages = [], system = [] } = body
  for (const [index, { role, content, output_config }] of messages.entries()) {
    if (role === 'system' && output_config) continue
    // The last assistant message is a prefill for the reply and may be empty.
    if (role === 'assistant' && index === messages.length - 1) continue
    if (content === undefined || content.length === 0) {
      return anthropicProblem(
        400,
        `messages.${index}: all messages must have non-empty content except for the optional final assistant message`,
      )
    }
  }
  for (const { block, path } of placedBlocks(body)) {
    if (
      block.type === 'tool_result' &&
      Array.isArray(block.content) &&
      block.content.length === 0
    ) {
      return anthropicProblem(
        400,
        `${path}.tool_result.content: List should have at least 1 item after validation, not 0`,
      )
    }
    const malformed = block.type === 'tool_use' ? checkCall(block, path) : undefined
    if (malformed) return malformed
    const inner = block.type === 'tool_result' && Array.isArray(block.content) ? block.content : []
    const problem = checkTexts([block, ...inner], 'messages')
    if (problem) return problem
  }
  return typeof system === 'string' ? undefined : checkTexts(blocksOf(system), 'system')
}

function checkTexts(blocks: readonly Block[], place: string): Problem | undefined {
  const texts = blocks.filter((block) => block.type === 'text').map((block) => block.text ?? '')
  if (texts.includes('')) {
    return anthropicProblem(400, `${place}: text content blocks must be non-empty`)
  }
  if (texts.some((text) => text.trim() === '')) {
    return anthropicProblem(400, `${place}: text content blocks must contain non-whitespace text`)
  }
  return undefined
}

function checkCall({ id, input }: Block, path: string): Problem | undefined {
  if (!ID.test(id ?? '')) {
    return anthropicProblem(400, `${path}.tool_use.id: String should match pattern '${ID.source}'`)
  }
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return anthropicProblem(400, `${path}.tool_use.input: Input should be a valid dictionary`)
  }
  return undefined
}
