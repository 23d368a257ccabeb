import type { JsonObject } from './json-object.ts'
import { isObject } from './json-object.ts'

export interface MetaFields {
  /** What every message of the connection carries, if it carries something. */
  readonly envelope: JsonObject | undefined
  /** What this request says in place of it. */
  readonly own?: JsonObject | undefined
  /** The id under which progress is wanted. */
  readonly progressToken?: number | undefined
}

/** Params with all that belongs into their `_meta`; the same object if that is nothing. */
export function withMeta(
  params: JsonObject,
  { envelope, own, progressToken }: MetaFields,
): JsonObject {
  const given = isObject(params._meta) ? params._meta : undefined
  if (!envelope && !given && progressToken === undefined) return params
  // a token of the caller's means nothing on this connection
  const { progressToken: _, ...rest } = given ?? {}
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
