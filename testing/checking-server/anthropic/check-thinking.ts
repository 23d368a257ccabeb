import type { Problem } from '../problem.ts'
import { anthropicProblem } from './anthropic-problem.ts'
import { blocksOf, type MessagesBody } from './messages-body.ts'

const THINKING = ['thinking', 'redacted_thinking']

/** With manual thinking, an open tool call must keep the thinking that led to it. */
export function checkThinking({ messages = [], thinking }: MessagesBody): Problem | undefined {
  if (thinking?.type !== 'enabled') return undefined
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  const blocks = blocksOf(messages[last]?.content)
  const isOpen = blocksOf(messages[last + 1]?.content)[0]?.type === 'tool_result'
  const type = blocks[0]?.type
  if (!isOpen || type === undefined || THINKING.includes(type)) return undefined
  return anthropicProblem(
    400,
    `messages.${last}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.`,
  )
}
