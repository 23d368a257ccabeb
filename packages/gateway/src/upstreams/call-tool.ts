import { isObject, type JsonObject } from '../protocol/json-object.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import type { RequestOptions } from '../protocol/request-options.ts'
import {
  CLIENT_CAPABILITIES,
  declaresTasks,
  isTask,
  MISSING_CAPABILITY,
  withTasks,
} from '../protocol/task-extension.ts'
import { UpstreamError } from '../protocol/upstream-error.ts'
import { awaitLegacyTask, awaitTask } from './await-task.ts'
import type { Upstream } from './upstream.ts'

export interface CallToolOptions extends RequestOptions {
  /** Whether to wait for tools that run only as tasks, if the client does not know tasks. */
  readonly waitsForTasks: boolean
  /** How long such a task may take in total. */
  readonly totalMs: number
}

/**
 * Calls a tool of a server. The result is a task only if the client has declared in `envelope` that it
 * knows tasks. For other clients, tools that run only as tasks are called as such, and their result is
 * awaited.
 *
 * @param params whose `task`, with which clients of 2025-11-25 ask for a task, is ignored: the gateway does
 * not declare that it serves these tasks
 */
export async function callTool(
  upstream: Upstream,
  tool: McpTool,
  { task: _, ...params }: JsonObject,
  { waitsForTasks, totalMs, ...options }: CallToolOptions,
): Promise<JsonObject> {
  const waiting = { ...options, totalMs }
  if (waitsForTasks && runsAsLegacyTask(upstream, tool)) {
    const created = await upstream.request('tools/call', { ...params, task: {} }, options)
    return isObject(created.task) ? awaitLegacyTask(upstream, created, waiting) : created
  }
  if (declaresTasks(options.envelope?.[CLIENT_CAPABILITIES])) {
    return upstream.request('tools/call', params, options)
  }
  const send = (envelope: JsonObject | undefined) =>
    upstream.request('tools/call', params, { ...options, ...(envelope && { envelope }) })
  const result = await send(options.envelope).catch((error: unknown) => {
    // nothing was executed, so the call can be sent again
    if (waitsForTasks && requiresTasks(error)) return send(withTasks(options.envelope))
    throw error
  })
  return isTask(result) ? awaitTask(upstream, result, waiting) : result
}

/** Whether a tool of 2025-11-25 runs only as a task. */
function runsAsLegacyTask({ status, capabilities }: Upstream, { execution }: McpTool): boolean {
  const { taskSupport } = isObject(execution) ? execution : {}
  return status.era === 'legacy' && taskSupport === 'required' && isObject(capabilities.tasks)
}

function requiresTasks(error: unknown): boolean {
  const answer = error instanceof UpstreamError ? error.answer : undefined
  if (answer?.code !== MISSING_CAPABILITY) return false
  return declaresTasks((answer.data as JsonObject | undefined)?.requiredCapabilities)
}
