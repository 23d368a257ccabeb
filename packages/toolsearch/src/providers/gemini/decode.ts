import { isObject } from '../../is-object.ts'
import type { DecodedReply, ProviderCall } from '../provider.ts'
import { callIn, type GeminiContent, isModel, isSendable, type Part, partsOf } from './parts.ts'
import { placeId } from './place-id.ts'

/** The part of a reply that is read: its first candidate. */
export interface GeminiReply {
  readonly candidates?: readonly { readonly content?: GeminiContent }[]
}

/** A reply without content, as when it was blocked or its call was malformed, gives no message. */
export function decode<Message extends GeminiContent>(reply: GeminiReply): DecodedReply<Message> {
  const content = reply.candidates?.[0]?.content
  const parts = isObject(content) ? partsOf(content) : []
  const kept = parts.filter((part) => isSendable(part, true))
  // signatures are valid only where they stood, so what is fine stays the same object
  const isWhole = isModel(content ?? {}) && kept.length === parts.length
  const message = isWhole ? content : { ...content, role: 'model', parts: kept }
  return {
    messages: kept.length > 0 ? [message as Message] : [],
    calls: callsIn(kept),
    found: [],
  }
}

/** The calls in parts that come after `before` other calls of the same reply. */
export function callsIn(parts: readonly Part[], before = 0): ProviderCall[] {
  return parts
    .flatMap((part) => callIn(part) ?? [])
    .map(({ id, name, args }, index) => ({
      id: id ?? placeId(before + index),
      name,
      arguments: args,
    }))
}
