import { isObject, type JsonObject } from '../../protocol/json-object.ts'
import type { TaskWatch } from '../task-watch.ts'

/** What the SDK gets to see of a request that listens for tasks. */
export interface TaskEvents {
  readonly parsedBody: unknown
  /** Adds the notifications about tasks to the stream with which the SDK answers. */
  addTo(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array>
}

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged'
const TOOLS_CHANGED = 'notifications/tools/list_changed'
const EVENT = /^data: (.*)$/m

/**
 * Lets a client listen for tasks, which the SDK does not know. The SDK closes a stream without any event
 * that it knows. It is therefore asked for changes to the tool list as well, which are removed again if the
 * client has not asked for them.
 */
export function createTaskEvents(message: JsonObject, watch: TaskWatch): TaskEvents {
  const params = message.params as JsonObject
  const { taskIds: _, ...filter } = params.notifications as JsonObject
  const wantsTools = filter.toolsListChanged === true

  /** An event of the SDK as the client gets it. Undefined if the client does not get it. */
  function edited(event: string): string | undefined {
    const data = EVENT.exec(event)?.[1]
    const { method, params } = data === undefined ? ({} as JsonObject) : JSON.parse(data)
    if (method === TOOLS_CHANGED) return wantsTools ? event : undefined
    if (method !== ACKNOWLEDGED || !isObject(params)) return event
    const { toolsListChanged, ...honored } = params.notifications as JsonObject
    const notifications = {
      ...honored,
      ...(wantsTools && { toolsListChanged }),
      taskIds: watch.ids,
    }
    return eventOf({ jsonrpc: '2.0', method, params: { ...params, notifications } })
  }

  return {
    parsedBody: {
      ...message,
      params: { ...params, notifications: { ...filter, toolsListChanged: true } },
    },
    addTo(body) {
      const encoder = new TextEncoder()
      const decoder = new TextDecoder()
      let rest = ''
      let isAcknowledged = false
      return body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk, controller) {
            const events = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
            rest = events.pop()!
            for (const event of events) {
              const shown = edited(event)
              if (shown !== undefined) controller.enqueue(encoder.encode(`${shown}\n\n`))
              // The acknowledgement is the first event.
              if (!isAcknowledged) {
                watch.start((task) => controller.enqueue(encoder.encode(`${eventOf(task)}\n\n`)))
              }
              isAcknowledged = true
            }
          },
        }),
      )
    },
  }
}

function eventOf(message: JsonObject): string {
  return `event: message\ndata: ${JSON.stringify(message)}`
}
