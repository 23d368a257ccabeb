import type { JsonObject } from './json-object.ts'
import { isObject } from './json-object.ts'

export interface MetaFields {
  /** The fields that every message of the connection carries, if any. */
  readonly envelope: JsonObject | undefined
  /** Fields for this request only, which override those of the envelope. */
  readonly overrides?: JsonObject | undefined
  /** Requests progress notifications with this token. */
  readonly progressToken?: number | undefined
}

/** Adds `_meta` fields to params. Returns the same object if there are none to add. */
export function withMeta(
  params: JsonObject,
  { envelope, overrides, progressToken }: MetaFields,
): JsonObject {
  const callerMeta = isObject(params._meta) ? params._meta : undefined
  if (!envelope && !callerMeta && progressToken === undefined) return params
  // a progress token from the caller is not valid on this connection, and baggage can contain anything
  const { progressToken: _, baggage: __, ...rest } = callerMeta ?? {}
  return {
    ...params,
    _meta: {
      ...rest,
      // the caller cannot change what the gateway says about itself and the client
      ...envelope,
      ...(envelope && overrides),
      ...(progressToken !== undefined && { progressToken }),
    },
  }
}
