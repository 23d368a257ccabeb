import { isObject } from '../../is-object.ts'
import type { Collector } from '../provider.ts'
import { callsIn, type GeminiReply } from './decode.ts'
import { type Part, partsOf } from './parts.ts'

/** Adds up the chunks of a streamed reply, each of which has the shape of a whole one. */
export function collect(): Collector<GeminiReply> {
  let reply: Record<string, unknown> = {}
  let candidate: Record<string, unknown> = {}
  let parts: readonly Part[] = []
  let calls = 0
  return {
    add(chunk) {
      if (!isObject(chunk)) return []
      const { candidates, ...about } = chunk
      reply = { ...reply, ...about }
      const first = Array.isArray(candidates) ? candidates.find(isFirst) : undefined
      if (first === undefined) return []
      const { content, ...rest } = first
      candidate = { ...candidate, ...rest }
      const added = isObject(content) ? partsOf(content) : []
      parts = added.reduce(withPart, parts)
      const complete = callsIn(added, calls)
      calls += complete.length
      return complete
    },
    reply: () => ({ ...reply, candidates: [{ ...candidate, content: { role: 'model', parts } }] }),
  }
}

/** The first of several candidates is not always the first of a chunk. */
function isFirst(candidate: unknown): candidate is Record<string, unknown> {
  return isObject(candidate) && (candidate.index ?? 0) === 0
}

function withPart(parts: readonly Part[], part: Part): readonly Part[] {
  const last = parts.at(-1)
  const grows =
    last !== undefined && isPlain(last) && isPlain(part) && !last.thought === !part.thought
  if (!grows) return [...parts, part]
  return parts.with(-1, { ...last, text: `${last.text}${part.text}` })
}

/** Texts with a signature must not be joined with others: it holds for the part it came with. */
function isPlain(part: Part): boolean {
  return (
    typeof part.text === 'string' &&
    Object.keys(part).every((key) => key === 'text' || key === 'thought')
  )
}
