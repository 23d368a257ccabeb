import type { JsonObject } from '../protocol/json-object.ts'

/**
 * Makes the SDK send the content of a result unchanged. It would reject the whole result because of
 * one block that it does not know, such as one of a newer protocol version, and drop unknown fields.
 *
 * The SDK validates and completes the result without its content, which is put back when the result
 * is serialized.
 */
export function carryContent(result: JsonObject): JsonObject {
  const { content } = result
  if (!Array.isArray(content)) return result
  return {
    ...result,
    content: [],
    toJSON(this: JsonObject): JsonObject {
      const { toJSON: _, ...completed } = this
      return { ...completed, content }
    },
  }
}

/** Makes the SDK send a task, which it would complete like a result. */
export function taskResult(task: JsonObject): JsonObject {
  return {
    ...task,
    content: [],
    toJSON(this: JsonObject): JsonObject {
      const { toJSON: _, content: __, ...completed } = this
      return completed
    },
  }
}
