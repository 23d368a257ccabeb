import type { IncomingHttpHeaders } from 'node:http'
import { findRejectedPart } from '../find-rejected-part.ts'
import type { Problem } from '../problem.ts'
import { anthropicProblem } from './anthropic-problem.ts'
import { betasOf } from './check-headers.ts'
import type { MessagesBody } from './messages-body.ts'

const USER_DATA = ['input', 'input_schema', 'input_examples', 'text', 'metadata', 'configs']

/** Rejects what a compatible endpoint does not support. */
export function checkRejects(
  rejects: readonly string[],
): (body: MessagesBody, headers: IncomingHttpHeaders) => Problem | undefined {
  return (body, headers) => {
    const betas = betasOf(headers).filter((beta) => rejects.includes(beta))
    if (betas.length > 0) {
      return anthropicProblem(
        400,
        `Unexpected value(s) \`${betas.join('`, `')}\` for the \`anthropic-beta\` header. Please consult our documentation at docs.anthropic.com or try again without the header.`,
      )
    }
    const part = findRejectedPart(body, rejects, USER_DATA)
    if (!part) return undefined
    const message =
      part.kind === 'field'
        ? 'Extra inputs are not permitted'
        : `Input tag '${part.name}' found using 'type' does not match any of the expected tags`
    return anthropicProblem(400, `${part.path.join('.')}: ${message}`)
  }
}
