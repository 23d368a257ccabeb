import type { JsonObject } from './json-object.ts'
import { isObject } from './json-object.ts'

export interface MetaFields {
  /** The fields that every message of the connection carries, if any. */
  readonly envelope: JsonObject | undefined
  /** Fields of this request that override those of the envelope. */
  readonly own?: JsonObject | undefined
  /** Requests progress notifications with this token. */
  readonly progressToken?: number | undefined
}

/** Adds `_meta` fields to params. Returns the same object if there are none to add. */
export function withMeta(
  params: JsonObject,
  { envelope, own, progressToken }: MetaFields,
): JsonObject {
  const callerMeta = isObject(params._meta) ? params._meta : undefined
  if (!envelope && !callerMeta && progressToken === undefined) return params
  // the caller's own token is not valid on this connection
  const { progressToken: _, ...rest } = callerMeta ?? {}
  return {
    ...params,
    _meta: {
      ...envelope,
      ...(envelope && own),
      ...rest,
      ...(progressToken !== undefined && { progressToken }),
    },
  }
}
