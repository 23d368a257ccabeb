import { isObject, type JsonObject } from './json-object.ts'

/** The extension of 2026-07-28 with which servers answer calls with tasks (SEP-2663). */
export const TASKS = 'io.modelcontextprotocol/tasks'
/** The `_meta` key with which a client of 2026-07-28 declares its capabilities. */
export const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
/** The error of a server that requires a capability which the client did not declare. */
export const MISSING_CAPABILITY = -32021

/** Reports the state of a task to clients that listen for it (`subscriptions/listen` with `taskIds`). */
export const TASK_CHANGED = 'notifications/tasks'

/** Whether capabilities, of a client or a server, include the extension. */
export function declaresTasks(capabilities: unknown): boolean {
  const extensions = isObject(capabilities) ? capabilities.extensions : undefined
  return isObject(extensions) && isObject(extensions[TASKS])
}

/** Whether the result of a call is a task instead of a result. */
export function isTask(result: JsonObject): boolean {
  return result.resultType === 'task' && typeof result.taskId === 'string'
}

/** Whether a task has reached a state that it never leaves. */
export function hasEnded({ status }: JsonObject): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled'
}

/** An envelope that declares the extension, too. */
export function withTasks(envelope: JsonObject = {}): JsonObject {
  const declared = envelope[CLIENT_CAPABILITIES] as JsonObject | undefined
  const extensions = { ...(declared?.extensions as JsonObject | undefined), [TASKS]: {} }
  return { ...envelope, [CLIENT_CAPABILITIES]: { ...declared, extensions } }
}

/** An envelope that does not declare the extension: results must not be tasks. */
export function withoutTasks(envelope: JsonObject): JsonObject {
  const declared = envelope[CLIENT_CAPABILITIES] as JsonObject | undefined
  if (!declaresTasks(declared)) return envelope
  const { [TASKS]: _, ...extensions } = declared!.extensions as JsonObject
  return { ...envelope, [CLIENT_CAPABILITIES]: { ...declared, extensions } }
}
