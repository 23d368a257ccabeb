import { isObject } from '../../is-object.ts'
import type { Block } from '../../transcript/block.ts'
import type { Collector } from '../provider.ts'
import { callsIn, type GeminiReply } from './decode.ts'
import { partsOf } from './parts.ts'

/** Assembles a streamed reply. Each chunk has the shape of a complete reply. */
export function collect(): Collector<GeminiReply> {
  let reply: Record<string, unknown> = {}
  let candidate: Record<string, unknown> = {}
  let parts: readonly Block[] = []
  let callCount = 0
  return {
    add(chunk) {
      if (!isObject(chunk)) return []
      const { candidates, ...metadata } = chunk
      reply = { ...reply, ...metadata }
      const first = Array.isArray(candidates) ? candidates.find(isFirstCandidate) : undefined
      if (first === undefined) return []
      const { content, ...rest } = first
      candidate = { ...candidate, ...rest }
      const added = isObject(content) ? partsOf(content) : []
      parts = added.reduce(appendPart, parts)
      const complete = callsIn(added, callCount)
      callCount += complete.length
      return complete
    },
    reply: () => ({ ...reply, candidates: [{ ...candidate, content: { role: 'model', parts } }] }),
  }
}

/** The first candidate is not always the first entry of a chunk. */
function isFirstCandidate(candidate: unknown): candidate is Record<string, unknown> {
  return isObject(candidate) && (candidate.index ?? 0) === 0
}

function appendPart(parts: readonly Block[], part: Block): readonly Block[] {
  const last = parts.at(-1)
  const continuesLast =
    last !== undefined && isPlainText(last) && isPlainText(part) && !last.thought === !part.thought
  if (!continuesLast) return [...parts, part]
  return parts.with(-1, { ...last, text: `${last.text}${part.text}` })
}

/** A text with a signature must not be merged: the signature is valid only for its own part. */
function isPlainText(part: Block): boolean {
  return (
    typeof part.text === 'string' &&
    Object.keys(part).every((key) => key === 'text' || key === 'thought')
  )
}
