import type { Problem } from '../problem.ts'
import { anthropicProblem } from './anthropic-problem.ts'
import { blocksOf, isSignedCompaction, type MessagesBody } from './messages-body.ts'

const ROLES = ['user', 'assistant', 'system']
/** Models that do not support system messages inside the conversation. */
const WITHOUT_SYSTEM_ROLE = /^claude-(?:3|haiku-4)/

/** Checks the roles and their order. */
export function checkTurns({ model = '', messages = [] }: MessagesBody): Problem | undefined {
  if (messages.length === 0) {
    return anthropicProblem(400, 'messages: at least one message is required')
  }
  const unknown = messages.findIndex(({ role }) => !ROLES.includes(role))
  if (unknown >= 0) {
    return anthropicProblem(
      400,
      `messages.${unknown}.role: Input should be 'user', 'assistant' or 'system'`,
    )
  }
  const startsWithSummary = blocksOf(messages[0]!.content).some(isSignedCompaction)
  if (messages[0]!.role !== 'user' && !startsWithSummary) {
    return anthropicProblem(400, 'messages: first message must use the "user" role')
  }
  if (WITHOUT_SYSTEM_ROLE.test(model) && messages.some(({ role }) => role === 'system')) {
    return anthropicProblem(400, "role 'system' is not supported on this model")
  }
  const misplaced = messages.findIndex(
    ({ role }, index) => role === 'system' && messages[index + 1]?.role === 'user',
  )
  if (misplaced >= 0) {
    return anthropicProblem(
      400,
      `messages.${misplaced}: a 'system' message must precede an 'assistant' message or end the array`,
    )
  }
  const late = messages.findIndex(
    ({ role, content }, index) =>
      role === 'system' &&
      blocksOf(content).length > 0 &&
      messages[index - 1]?.role === 'assistant',
  )
  if (late >= 0) {
    return anthropicProblem(
      400,
      `messages.${late}: a 'system' message must not follow an 'assistant' message`,
    )
  }
  return undefined
}
