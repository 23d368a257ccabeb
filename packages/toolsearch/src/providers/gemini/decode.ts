import { isObject } from '../../is-object.ts'
import type { Block } from '../../transcript/block.ts'
import type { Collector, DecodedReply, ProviderCall } from '../provider.ts'
import { replyList } from '../reply-list.ts'
import { callIn, type GeminiContent, isModel, isSendable, partsOf } from './read.ts'

/** The part of a reply that the adapter reads: its first candidate. */
export interface GeminiReply {
  readonly candidates?: readonly { readonly content?: GeminiContent }[]
}

/**
 * A reply without content, such as a blocked one or a malformed call, yields no message.
 * @throws InvalidReplyError
 */
export function decode<Message extends GeminiContent>(reply: GeminiReply): DecodedReply<Message> {
  const hasNone =
    isObject(reply) && reply.candidates == null && REPLY_FIELDS.some((field) => field in reply)
  const [first] = hasNone ? [] : replyList(reply, 'candidates', "Google's Gemini API")
  const content = isObject(first) ? (first.content as GeminiContent | undefined) : undefined
  const parts = isObject(content) ? partsOf(content) : []
  const sendable = parts.filter((part) => isSendable(part, true))
  // Thought signatures are valid only in their original place, so an unchanged content stays the
  // same object.
  const isUnchanged = isModel(content ?? {}) && sendable.length === parts.length
  const message = isUnchanged ? content : { ...content, role: 'model', parts: sendable }
  return {
    messages: sendable.length > 0 ? [message as Message] : [],
    calls: callsIn(sendable),
    found: [],
  }
}

/** Fields of a reply. One without candidates, such as that to a blocked prompt, has some of them. */
const REPLY_FIELDS = ['candidates', 'promptFeedback', 'usageMetadata', 'modelVersion', 'responseId']

/** The calls in some parts of a reply. `offset` is the number of calls in the parts before them. */
function callsIn(parts: readonly Block[], offset = 0): ProviderCall[] {
  return parts
    .flatMap((part) => callIn(part) ?? [])
    .map(({ id, name, args, native }, index) => ({
      id: id ?? `${POSITION_PREFIX}${offset + index}`,
      name,
      arguments: args,
      native,
    }))
}

/**
 * A call without an id is identified by its position among the calls in the reply, which is the same
 * for streamed and complete replies. These ids are never sent.
 */
const POSITION_PREFIX = 'place-'

/** The id of a call if the model set it. */
export function idFromModel(id: string | undefined): string | undefined {
  return id?.startsWith(POSITION_PREFIX) ? undefined : id
}

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
