import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createActivity } from './activity/create-activity.ts'
import type { HistoryPage, MissReport, Overview, Timeline } from './api.ts'
import { createHistoryStore } from './history/history-store.ts'
import { keepHistory } from './history/keep-history.ts'
import { closeAll, open } from './inspection.fixtures.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsearch-history-'))
})

afterEach(async () => {
  await closeAll()
})

const ada = { client: { id: 'a', name: 'Ada' } }
const bob = { client: { id: 'b', name: 'Bob' } }
const search = (query: string) => ({ name: 'tool_search', arguments: { query } })
const call = (name: string) => ({ name, arguments: { to: 'somebody@example.org' } })

/** Opens a gateway whose history is in the folder of the test. */
async function openKept({ now = Date.now, isOn = true } = {}) {
  const activity = createActivity({ transport: 'http', now })
  const history = keepHistory(activity, {
    store: createHistoryStore(folder, { now }),
    isOn: () => isOn,
    mask: (text) => text.replaceAll('t0psecret', '***'),
    now,
  })
  return open(undefined, { activity, history, now })
}

async function textOnDisk(): Promise<string> {
  const names = await readdir(folder)
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return texts.join('')
}

/** Two agents: three searches, one of them missed, and three calls, one of them failed. */
async function work({ gateway }: Awaited<ReturnType<typeof open>>) {
  await gateway.callTool(search('send a letter'), ada)
  await gateway.callTool(call('mail__send_mail'), ada)
  await gateway.callTool(search('repaint the garage'), bob)
  await gateway.callTool(search('folders of the mailbox'), bob)
  await gateway.callTool(call('mail__list_folders'), bob)
  await gateway.callTool(call('mail__nothing'), bob)
  await setImmediate()
}

describe('GET /api/history', () => {
  it('returns what an earlier process recorded, latest first', async () => {
    await work(await openKept())
    await closeAll()
    const { ask } = await openKept()
    const { data } = await ask<HistoryPage>('/api/history?since=7d')
    expect(data).toMatchObject({
      total: 6,
      isKept: true,
      servers: ['mail'],
      clients: ['Ada', 'Bob'],
    })
    expect(
      data.entries.map((entry) => (entry.kind === 'search' ? entry.query : entry.tool)),
    ).toEqual([
      'mail__nothing',
      'mail__list_folders',
      'folders of the mailbox',
      'repaint the garage',
      'mail__send_mail',
      'send a letter',
    ])
    expect(data.entries[3]).toMatchObject({ miss: 'nothing-found' })
    expect(data.entries[4]).toMatchObject({ client: 'Ada', server: 'mail', size: 4 })
    expect((await ask<Overview>('/api/overview')).data.history).toMatchObject({ days: 30, folder })
  })

  it('stores neither arguments nor results, and masks secrets', async () => {
    const { gateway, ask } = await openKept()
    await gateway.callTool(search('log in with t0psecret'), ada)
    await gateway.callTool(call('mail__send_mail'), ada)
    await setImmediate()
    await ask('/api/history')
    const text = await textOnDisk()
    expect(text).toContain('log in with ***')
    expect(text).not.toContain('t0psecret')
    expect(text).not.toContain('example.org')
    expect(text).not.toContain('done')
  })

  it.each<[string, number, string[]]>([
    ['kind=error', 1, ['mail__nothing']],
    ['kind=miss', 1, ['repaint the garage']],
    ['kind=call&client=Ada', 1, ['mail__send_mail']],
    ['server=mail&kind=search', 2, ['folders of the mailbox', 'send a letter']],
    ['text=GARAGE', 1, ['repaint the garage']],
    ['text=list_folders&kind=call', 1, ['mail__list_folders']],
    ['client=Eve', 0, []],
    ['until=1h', 0, []],
  ])('filters by %s', async (parameters, total, names) => {
    const opened = await openKept()
    await work(opened)
    const { data } = await opened.ask<HistoryPage>(`/api/history?${parameters}`)
    expect(data.total).toBe(total)
    expect(
      data.entries.map((entry) => (entry.kind === 'search' ? entry.query : entry.tool)),
    ).toEqual(names)
  })

  it('returns page after page, each entry once', async () => {
    const opened = await openKept()
    for (let round = 0; round < 3; round++) await work(opened)
    const ids: string[] = []
    let next: string | undefined = ''
    while (next !== undefined) {
      const path: string = `/api/history?limit=5${next && `&before=${next}`}`
      const { data } = await opened.ask<HistoryPage>(path)
      ids.push(...data.entries.map(({ id }) => id))
      next = data.next
    }
    expect(ids).toHaveLength(18)
    expect(new Set(ids).size).toBe(18)
    expect(ids).toEqual(ids.toSorted().reverse())
  })

  it('writes nothing if history is off, and answers from memory', async () => {
    const opened = await openKept({ isOn: false })
    await work(opened)
    const { data } = await opened.ask<HistoryPage>('/api/history')
    expect(data).toMatchObject({ total: 6, isKept: false })
    expect(await readdir(folder)).toEqual([])
    expect((await opened.ask<Overview>('/api/overview')).data).not.toHaveProperty('history')
  })

  it.each(['since=yesterday', 'kind=nonsense', 'limit=0', 'limit=9999', 'since=1h&until=2h'])(
    'rejects %s',
    async (parameters) => {
      const { ask } = await openKept()
      const { status, data } = await ask<{ error: string }>(`/api/history?${parameters}`)
      expect(status).toBe(400)
      expect(data.error).toMatch(/\.$/)
    },
  )
})

describe('GET /api/timeline', () => {
  it('counts searches, calls, errors, misses and tokens per bucket', async () => {
    let now = Date.UTC(2026, 0, 10, 12)
    const opened = await openKept({ now: () => now })
    await work(opened)
    now += 3 * 3_600_000
    await work(opened)
    const { data } = await opened.ask<Timeline>('/api/timeline?since=24h')
    expect(data).toMatchObject({ bucketMs: 15 * 60_000, isKept: true })
    expect(data.totals).toMatchObject({ searches: 6, calls: 6, errors: 2, misses: 2 })
    expect(data.totals.tokens).toBeGreaterThan(0)
    const busy = data.buckets.filter(({ searches }) => searches > 0)
    expect(busy.map(({ at, searches, errors }) => [at, searches, errors])).toEqual([
      ['2026-01-10T12:00:00.000Z', 3, 1],
      ['2026-01-10T15:00:00.000Z', 3, 1],
    ])
    const steps = data.buckets.slice(1).map(({ at }, index) => {
      return Date.parse(at) - Date.parse(data.buckets[index]!.at)
    })
    expect(new Set(steps)).toEqual(new Set([data.bucketMs]))
    expect(data.buckets.length).toBeLessThanOrEqual(120)
  })

  it.each(['15m', '7d', '30d', '3650d'])('has at most 120 buckets for %s', async (since) => {
    const { ask } = await openKept()
    const { data } = await ask<Timeline>(`/api/timeline?since=${since}`)
    expect(data.buckets.length).toBeGreaterThan(10)
    expect(data.buckets.length).toBeLessThanOrEqual(120)
  })
})

describe('GET /api/misses', () => {
  it('reports the misses of a period, also of earlier processes', async () => {
    let now = Date.UTC(2026, 0, 10)
    const first = await openKept({ now: () => now })
    await first.gateway.callTool(search('repaint the garage'), ada)
    await setImmediate()
    await closeAll()
    now += 3 * 86_400_000
    const { gateway, ask } = await openKept({ now: () => now })
    await gateway.callTool(search('repaint a garage'), bob)
    await setImmediate()
    expect((await ask<MissReport>('/api/misses')).data).toMatchObject({ total: 1, missed: 1 })
    const { data } = await ask<MissReport>('/api/misses?since=7d')
    expect(data).toMatchObject({ total: 2, missed: 2, since: '2026-01-06T00:00:00.000Z' })
    expect(data.searches).toMatchObject([{ times: 2, clients: ['Ada', 'Bob'] }])
    expect((await ask<MissReport>('/api/misses?since=2d')).data.total).toBe(1)
  })
})
