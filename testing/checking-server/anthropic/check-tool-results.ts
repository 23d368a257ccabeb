import { firstProblem, type Problem } from '../problem.ts'
import { anthropicProblem } from './anthropic-problem.ts'
import {
  type Block,
  blocksOf,
  type Message,
  type MessagesBody,
  placedBlocks,
} from './messages-body.ts'

/** Every call needs its result at the start of the next message, and every result its call. */
export function checkToolResults(body: MessagesBody): Problem | undefined {
  return firstProblem([checkUniqueIds, checkCallsAnswered, checkResultsExpected], body)
}

function checkUniqueIds(body: MessagesBody): Problem | undefined {
  const seen = new Set<string>()
  for (const { block, path } of placedBlocks(body)) {
    if (block.type !== 'tool_use' || block.id === undefined) continue
    if (seen.has(block.id)) return anthropicProblem(400, `${path}: \`tool_use\` ids must be unique`)
    seen.add(block.id)
  }
  return undefined
}

function checkCallsAnswered({ messages = [] }: MessagesBody): Problem | undefined {
  for (const [index, message] of messages.entries()) {
    const answered = leadingResults(messages[index + 1]).map((block) => block.tool_use_id)
    const unanswered = callIds(message).filter((id) => !answered.includes(id))
    if (unanswered.length > 0) {
      return anthropicProblem(
        400,
        `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${unanswered.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
      )
    }
  }
  return undefined
}

function checkResultsExpected({ messages = [] }: MessagesBody): Problem | undefined {
  for (const [index, message] of messages.entries()) {
    const expected = callIds(messages[index - 1])
    const seen = new Set<string>()
    for (const [at, { type, tool_use_id: id = '' }] of blocksOf(message.content).entries()) {
      if (type !== 'tool_result') continue
      if (message.role !== 'user' || !expected.includes(id)) {
        return anthropicProblem(
          400,
          `messages.${index}.content.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
        )
      }
      if (seen.has(id)) {
        return anthropicProblem(
          400,
          `messages.${index}.content.${at}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
        )
      }
      seen.add(id)
    }
  }
  return undefined
}

function callIds(message: Message | undefined): string[] {
  return blocksOf(message?.content)
    .filter((block) => block.type === 'tool_use')
    .map((block) => block.id ?? '')
}

// Results after any other block do not count as "immediately after".
function leadingResults(message: Message | undefined): readonly Block[] {
  const blocks = blocksOf(message?.content)
  const end = blocks.findIndex((block) => block.type !== 'tool_result')
  return end < 0 ? blocks : blocks.slice(0, end)
}
