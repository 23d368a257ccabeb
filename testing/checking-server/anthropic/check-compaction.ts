import type { IncomingHttpHeaders } from 'node:http'
import type { Problem } from '../problem.ts'
import { anthropicProblem } from './anthropic-problem.ts'
import { betasOf } from './check-headers.ts'
import { blocksOf, isSignedCompaction, type MessagesBody, placedBlocks } from './messages-body.ts'

const COMPACTION_BETA = 'compact-2026-09-04'

/** A signed summary needs its beta and must be the only block of the first message. */
export function checkCompaction(
  body: MessagesBody,
  headers: IncomingHttpHeaders,
): Problem | undefined {
  const signed = placedBlocks(body).filter(({ block }) => isSignedCompaction(block))
  const [first] = signed
  if (first === undefined) return undefined
  if (!betasOf(headers).includes(COMPACTION_BETA)) {
    return anthropicProblem(
      400,
      `${first.path}.compaction.signature: Extra inputs are not permitted`,
    )
  }
  if (signed.length > 1) {
    return anthropicProblem(
      400,
      'messages: only the last compaction block may be sent',
      'compaction_block_ambiguous',
    )
  }
  const isAlone = blocksOf(body.messages?.[0]?.content).length === 1
  if (first.path === 'messages.0.content.0' && first.role === 'assistant' && isAlone) {
    return undefined
  }
  return anthropicProblem(
    400,
    `${first.path}: a compaction block must be the first block of the conversation, in an assistant message of its own`,
    'compaction_block_misplaced',
  )
}
