import { afterEach, describe, expect, it } from 'vitest'
import type { LiveEvent } from './api.ts'
import { closeAll, open, tool } from './inspection.fixtures.ts'

afterEach(closeAll)

const search = { name: 'tool_search', arguments: { query: 'send a letter' } }

/** Opens an event stream and reads it event by event. */
async function listen(origin: string, headers: Record<string, string> = {}) {
  const stop = new AbortController()
  const response = await fetch(`${origin}/api/events`, { headers, signal: stop.signal })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  let heartbeats = 0
  async function next(isWanted: (event: LiveEvent) => boolean): Promise<LiveEvent> {
    for (;;) {
      const at = text.indexOf('\n\n')
      if (at < 0) {
        const { done, value } = await reader.read()
        if (done) throw new Error('The stream has ended.')
        text += value
        continue
      }
      const block = text.slice(0, at)
      text = text.slice(at + 2)
      if (block === ':') heartbeats += 1
      if (!block.startsWith('data: ')) continue
      const event = JSON.parse(block.slice(6)) as LiveEvent
      if (isWanted(event)) return event
    }
  }
  return {
    response,
    next: (kind: LiveEvent['kind']) => next((event) => event.kind === kind),
    nextThat: next,
    heartbeats: () => heartbeats,
    stop: () => stop.abort(),
  }
}

describe('GET /api/events', () => {
  it('starts with the current state, then sends every event to all listeners', async () => {
    const { origin, gateway } = await open()
    const [first, second] = [await listen(origin), await listen(origin)]
    expect(first.response.headers.get('content-type')).toBe('text/event-stream')
    for (const { next } of [first, second]) {
      expect(await next('tools')).toEqual({ kind: 'tools', version: 1 })
      expect(await next('servers')).toMatchObject({ servers: [{ name: 'mail' }, {}] })
    }
    await gateway.callTool(search, { client: { id: 'a', name: 'Ada' } })
    for (const { next } of [first, second]) {
      expect(await next('activity')).toMatchObject({
        event: { kind: 'search', query: 'send a letter', client: 'Ada' },
      })
      expect(await next('session')).toMatchObject({ session: { id: 'a', searches: 1 } })
    }
  })

  it('reports a failed server, and added and removed tools', async () => {
    const { origin, servers } = await open()
    const { next } = await listen(origin)
    await next('servers')
    servers.change('mail', { tools: [], state: 'failed', detail: 'It ended with code 9.' })
    expect(await next('tools')).toEqual({ kind: 'tools', version: 2 })
    expect(await next('servers')).toMatchObject({
      servers: [{ name: 'mail', state: 'failed', detail: 'It ended with code 9.', tools: 0 }, {}],
    })
    servers.change('mail', { tools: [tool('burn', 'Burns letters')] })
    expect(await next('tools')).toEqual({ kind: 'tools', version: 3 })
    expect(await next('servers')).toMatchObject({ servers: [{ state: 'ready', tools: 1 }, {}] })
  })

  it('reports saved queries and accepted tools', async () => {
    const { origin, ask, approvals, servers } = await open()
    const { next, nextThat } = await listen(origin)
    await next('servers')
    const body = JSON.stringify({ query: 'a', relevant: [] })
    await ask('/api/saved', { method: 'POST', body })
    expect(await next('saved')).toEqual({ kind: 'saved' })
    await ask('/api/saved?query=a', { method: 'DELETE' })
    expect(await next('saved')).toEqual({ kind: 'saved' })
    await approvals.saved()
    servers.change('mail', { tools: [tool('send_mail', 'Sends a letter, and a copy to us')] })
    await next('tools')
    await ask('/api/tools/mail__send_mail/accept', { method: 'POST' })
    expect(await nextThat((event) => event.kind === 'tools' && event.version === 3)).toBeDefined()
  })

  it('sends heartbeats', async () => {
    const { origin, gateway } = await open(undefined, { options: { heartbeatMs: 5 } })
    const { next, heartbeats } = await listen(origin)
    await next('servers')
    while (heartbeats() === 0) {
      await gateway.callTool(search)
      await next('activity')
    }
  })

  it('keeps sending to the other listeners when one disconnects', async () => {
    const { origin, gateway } = await open()
    const [first, second] = [await listen(origin), await listen(origin)]
    await first.next('servers')
    first.stop()
    await gateway.callTool(search)
    await gateway.callTool(search)
    expect(await second.next('activity')).toMatchObject({ event: { id: 1 } })
    expect(await second.next('activity')).toMatchObject({ event: { id: 2 } })
  })
})
