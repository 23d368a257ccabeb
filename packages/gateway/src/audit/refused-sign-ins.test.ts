import { expect, it } from 'vitest'
import { personId } from '../identity/person.ts'
import type { NewAuditEntry } from './audit-log.ts'
import { recordRefusedSignIns } from './refused-sign-ins.ts'

it('records refused sign-ins, at most 60 a minute, and says how many there were', () => {
  const entries: NewAuditEntry[] = []
  let now = 0
  const record = recordRefusedSignIns({ record: (entry) => String(entries.push(entry)) }, () => now)
  const refused = {
    path: '/mcp',
    status: 401,
    message: 'The token has expired.',
    cause: 'expired',
    claimed: personId('https://id.example', 'ada\n'),
  } as const
  for (let count = 0; count < 1_000; count++) record(refused)
  expect(entries).toHaveLength(60)
  expect(entries[0]).toEqual({
    kind: 'admin',
    person: 'unknown',
    claimed: 'https%3A%2F%2Fid.example ada%0A',
    action: 'sign-in.refused',
    outcome: 'denied',
    reason: 'The token has expired.',
    detail: { path: '/mcp', status: 401, cause: 'expired' },
  })
  now = 60_000
  record(refused)
  expect(entries.at(-1)!.detail).toMatchObject({ skippedBefore: 940 })
})
