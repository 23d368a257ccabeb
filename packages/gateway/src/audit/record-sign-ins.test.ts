import { expect, it } from 'vitest'
import { type Person, personId } from '../identity/person.ts'
import type { NewAuditEntry } from './audit-log.ts'
import { recordSignIns } from './record-sign-ins.ts'

it('records the first request with each token, key and session', () => {
  const entries: NewAuditEntry[] = []
  const record = recordSignIns({ record: (entry) => String(entries.push(entry)) })
  const ada: Person = {
    id: personId('https://id.example', 'ada'),
    issuer: 'https://id.example',
    subject: 'ada',
    groups: ['engineers'],
    role: 'member',
    token: 'secret-access-token',
    expiresAt: Date.UTC(2026, 0, 1),
  }
  const { token: _, ...browser } = ada
  const { expiresAt: __, ...robot } = { ...browser, id: personId('key', 'k1'), issuer: 'key' }
  for (const person of [ada, ada, { ...ada }, browser, { ...browser }, robot, { ...robot }]) {
    record(person, '/mcp')
  }
  record({ ...ada, expiresAt: Date.UTC(2026, 0, 2) }, '/mcp')
  expect(entries.map(({ person, detail }) => [person, detail?.credential])).toEqual([
    [ada.id, 'token'],
    [ada.id, 'browser'],
    [robot.id, 'key'],
    [ada.id, 'token'],
  ])
  expect(entries[0]).toMatchObject({
    action: 'sign-in',
    groups: ['engineers'],
    detail: { path: '/mcp', expires: '2026-01-01T00:00:00.000Z' },
  })
  expect(JSON.stringify(entries)).not.toContain('secret-access-token')
})
