import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../protocol/json-object.ts'
import { modernRequest } from '../task-gateway.fixtures.ts'
import { createTaskEvents } from './task-events.ts'

const TASK = { jsonrpc: '2.0', method: 'notifications/tasks', params: { taskId: 'a' } }

/** The messages of a stream of the SDK on which the tool list changes, then a task, then it ends. */
async function messagesFor(notifications: JsonObject): Promise<JsonObject[]> {
  const info = { name: 'test', version: '1' }
  const handler = createMcpHandler(
    () => new Server(info, { capabilities: { tools: { listChanged: true } } }),
  )
  const request = modernRequest('subscriptions/listen', { notifications })
  let begin: (send: (task: JsonObject) => void) => void
  const started = new Promise<(task: JsonObject) => void>((resolve) => {
    begin = resolve
  })
  const { parsedBody, addTo } = createTaskEvents(request, {
    ids: ['a'],
    start: (send) => begin(send),
    stop() {},
  })
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'subscriptions/listen',
  }
  const response = await handler.fetch(
    new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body: '{}' }),
    { parsedBody },
  )
  const text = new Response(addTo(response.body!)).text()
  const send = await started
  handler.notify.toolsChanged()
  send(TASK)
  await handler.close()
  const events = (await text).matchAll(/^data: (.+)$/gm)
  return Array.from(events, ([, data]) => JSON.parse(data!))
}

describe('createTaskEvents', () => {
  it('adds tasks to the acknowledgement and to the events that the client asked for', async () => {
    const [first, ...others] = await messagesFor({ taskIds: ['a', 'b'], toolsListChanged: true })
    expect(first).toMatchObject({
      params: { notifications: { taskIds: ['a'], toolsListChanged: true } },
    })
    expect(others).toContainEqual(TASK)
    expect(others.map(({ method }) => method)).toContain('notifications/tools/list_changed')
  })

  it('keeps the stream open for tasks alone, without further events', async () => {
    const [first, ...others] = await messagesFor({ taskIds: ['a'] })
    expect((first!.params as JsonObject).notifications).toEqual({ taskIds: ['a'] })
    expect(others).toEqual([TASK, expect.objectContaining({ id: 1 })])
  })
})
