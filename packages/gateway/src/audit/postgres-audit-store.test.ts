import { describe, expect, it } from 'vitest'
import { openReplicas } from '../state/open-replicas.fixtures.ts'
import { auditEntry, describeAuditStore } from './audit-store.cases.ts'
import { createPostgresAuditStore } from './postgres-audit-store.ts'

describe('createPostgresAuditStore', () => {
  describeAuditStore(async () => {
    const [{ database }] = await openReplicas()
    return createPostgresAuditStore(database)
  })

  it('returns entries of all replicas', async () => {
    const [one, other] = await openReplicas()
    await createPostgresAuditStore(one.database).append([auditEntry(1), auditEntry(2)])
    await createPostgresAuditStore(other.database).append([auditEntry(2), auditEntry(3)])
    const page = await createPostgresAuditStore(one.database).query({}, { limit: 10 })
    expect(page.entries).toEqual([auditEntry(3), auditEntry(2), auditEntry(1)])
  })

  it('exports and deletes more entries than it handles at once', async () => {
    const [{ database }] = await openReplicas()
    const store = createPostgresAuditStore(database)
    const entries = Array.from({ length: 1_200 }, (_, number) => auditEntry(number))
    await store.append(entries)
    const ids: string[] = []
    for await (const { id } of store.export({})) ids.push(id)
    expect(ids.sort()).toEqual(entries.map(({ id }) => id).sort())
    await store.prune(Date.parse(auditEntry(1_000).at))
    expect((await store.query({}, { limit: 1_000 })).entries).toHaveLength(200)
  })

  const hostile = [
    "'; drop table toolsearch_audit; --",
    '" or 1=1 --',
    '$1',
    '\\',
    '\\x00',
    'a\0b',
    '\ud800',
    '{"a":"\\u0000"}',
    '%',
    '__',
    '*/ select 1 /*',
  ]

  it.each(hostile)('keeps and finds %j in every field', async (text) => {
    const [{ database }] = await openReplicas()
    const store = createPostgresAuditStore(database)
    const entry = auditEntry(1, {
      person: text,
      name: text,
      email: text,
      groups: [text],
      action: text,
      target: { kind: 'tool', server: text, name: text },
      profile: text,
      client: text,
      session: text,
      reason: text,
      error: text,
      arguments: { [text]: text },
      searches: [{ query: text, hits: [text] }],
      detail: { [text]: text },
    })
    await store.append([entry, auditEntry(2)])
    const filters = [
      { person: text },
      { action: text },
      { server: text },
      { profile: text },
      { client: text },
      { text },
      ...(text.includes('*') ? [] : [{ tool: text }, { tool: `${text}/${text}` }]),
    ]
    for (const filter of filters) {
      expect((await store.query(filter, { limit: 10 })).entries).toEqual([entry])
    }
    expect((await store.query({}, { limit: 10, before: text })).entries.length).toBeLessThan(3)
    expect((await store.query({}, { limit: 10 })).entries).toHaveLength(2)
  })
})
