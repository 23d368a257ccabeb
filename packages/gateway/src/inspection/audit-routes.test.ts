import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AuditedAction } from '../audit/action-entry.ts'
import { auditEntry } from '../audit/audit-store.cases.ts'
import { createFileAuditStore } from '../audit/file-audit-store.ts'
import type { AuditReport } from './api.ts'
import { closeAll, open } from './inspection.fixtures.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsearch-audit-'))
})
afterEach(async () => {
  await closeAll()
})

async function openAudited() {
  const audit = createFileAuditStore(folder)
  await audit.append([
    auditEntry(1),
    auditEntry(2, { outcome: 'denied', reason: 'rules[0]', name: '=Grace' }),
    auditEntry(3, { searches: [{ query: 'invoices', hits: [] }] }),
  ])
  return open(undefined, { audit })
}

const SINCE = 'since=2026-01-01&until=2026-02-01'

describe('GET /api/audit', () => {
  it('returns pages of the log, latest first', async () => {
    const { ask } = await openAudited()
    const { data } = await ask<AuditReport>(`/api/audit?${SINCE}&limit=2`)
    expect(data).toMatchObject({ isOn: true, since: '2026-01-01T00:00:00.000Z' })
    expect(data.entries.map(({ id }) => id)).toEqual([auditEntry(3).id, auditEntry(2).id])
    const second = await ask<AuditReport>(`/api/audit?${SINCE}&limit=2&before=${data.next}`)
    expect(second.data.entries).toEqual([auditEntry(1)])
    expect(second.data).not.toHaveProperty('next')
  })

  it.each([
    ['outcome=denied', 2],
    ['notFound=1', 3],
    ['text=INVOICES', 3],
    ['person=%3Dgrace', 2],
  ])('filters by %s', async (filter, expected) => {
    const { ask } = await openAudited()
    const { data } = await ask<AuditReport>(`/api/audit?${SINCE}&${filter}`)
    expect(data.entries.map(({ id }) => id)).toEqual([auditEntry(expected).id])
  })

  it('exports entries as a file', async () => {
    const { origin } = await openAudited()
    const ask = async (query: string) =>
      (await fetch(`${origin}/api/audit/export?${SINCE}${query}`)).text()
    const csv = await ask('&format=csv&outcome=denied')
    expect(csv).toMatch(/^at,kind.*\r\n.*'=Grace.*\r\n$/)
    const lines = (await ask('')).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).id)).toHaveLength(3)
  })

  it('explains mistakes, and says if the log is off', async () => {
    const { ask } = await openAudited()
    for (const mistake of ['outcome=x', 'kind=x', 'limit=0', 'limit=9999', 'since=x']) {
      expect((await ask(`/api/audit?${mistake}`)).status).toBe(400)
    }
    await closeAll()
    const off = await open()
    expect((await off.ask<AuditReport>('/api/audit')).data).toMatchObject({
      isOn: false,
      entries: [],
    })
    expect((await off.ask('/api/audit/export')).status).toBe(409)
  })
})

describe('actions of people on the page', () => {
  it('are reported with what they changed, unless they only read', async () => {
    const actions: AuditedAction[] = []
    const { ask } = await open(undefined, { onAction: (action) => void actions.push(action) })
    const body = JSON.stringify({ query: 'send mail', relevant: ['mail__send_mail'] })
    await ask('/api/saved', { method: 'POST', body })
    await ask('/api/tools/mail__nothing/accept', { method: 'POST' })
    await ask('/api/tools')
    expect(actions).toMatchObject([
      { action: 'query.save', body: { query: 'send mail' }, person: { issuer: 'local' } },
      { action: 'tool.accept', name: 'mail__nothing', error: expect.stringContaining('no tool') },
    ])
    expect(actions[0]).not.toHaveProperty('error')
  })
})
