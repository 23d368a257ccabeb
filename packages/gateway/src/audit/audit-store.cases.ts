import { describe, expect, it } from 'vitest'
import { type AuditEntry, endId } from './audit-entry.ts'
import type { AuditFilter, AuditStore } from './audit-store.ts'

const DAY_MS = 86_400_000
const START = Date.UTC(2026, 0, 1, 12)
const ALL: AuditFilter = {}

/** An entry for tests; the number decides about its id and its time. */
export function auditEntry(number: number, changes: Partial<AuditEntry> = {}): AuditEntry {
  const at = START + number * 1_000
  return {
    id: `${at.toString(36).padStart(9, '0')}-test-${String(number).padStart(6, '0')}`,
    at: new Date(at).toISOString(),
    kind: 'request',
    person: 'https%3A%2F%2Fid.example ada',
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    groups: ['engineers', 'mathematicians'],
    action: 'tools/call',
    target: { kind: 'tool', server: 'github', name: 'create_issue' },
    client: 'claude-code',
    session: '0a1b2c3d',
    outcome: 'ok',
    milliseconds: 12.5,
    requestBytes: 100,
    resultBytes: 2_000,
    arguments: { title: 'string' },
    ...changes,
  }
}

async function collect(entries: AsyncIterable<AuditEntry>): Promise<AuditEntry[]> {
  const found: AuditEntry[] = []
  for await (const entry of entries) found.push(entry)
  return found
}

const idsOf = (entries: readonly AuditEntry[]) => entries.map(({ id }) => id)

/**
 * The contract every audit store keeps. Each store's own test file starts by calling this.
 *
 * @param create opens an empty store
 */
export function describeAuditStore(create: () => AuditStore | Promise<AuditStore>): void {
  describe('audit store contract', () => {
    const find = async (store: AuditStore, filter: AuditFilter) =>
      idsOf((await store.query(filter, { limit: 100 })).entries)

    it('is empty at first', async () => {
      const store = await create()
      expect(await store.query(ALL, { limit: 10 })).toEqual({ entries: [] })
      expect(await collect(store.export(ALL))).toEqual([])
      await store.prune(START)
      await store.close()
    })

    it('returns entries exactly as they were stored, latest first', async () => {
      const store = await create()
      const denied = auditEntry(2, {
        outcome: 'denied',
        reason: 'toolsearch.access.rules[0].deny[0]',
        profile: 'support',
        searches: [{ query: 'delete a repository', hits: ['github__delete'] }],
        error: 'There is no such tool.',
      })
      const admin: AuditEntry = {
        ...auditEntry(3),
        kind: 'admin',
        action: 'key.create',
        detail: { key: 'k1', scope: ['github/*'] },
      }
      await store.append([auditEntry(1), denied])
      await store.append([admin])
      const page = await store.query(ALL, { limit: 10 })
      expect(page).toEqual({ entries: [admin, denied, auditEntry(1)] })
      await store.close()
    })

    it('accepts no entries', async () => {
      const store = await create()
      await store.append([])
      expect(await find(store, ALL)).toEqual([])
      await store.close()
    })

    it('sorts by id, whatever the order in which entries arrive', async () => {
      const store = await create()
      await store.append([auditEntry(3), auditEntry(1)])
      await store.append([auditEntry(2)])
      expect(await find(store, ALL)).toEqual(idsOf([3, 2, 1].map((number) => auditEntry(number))))
      await store.close()
    })

    it('returns an entry once that was appended twice', async () => {
      const store = await create()
      await store.append([auditEntry(1), auditEntry(2)])
      await store.append([auditEntry(2), auditEntry(3)])
      expect(await find(store, ALL)).toHaveLength(3)
      expect(await collect(store.export(ALL))).toHaveLength(3)
      await store.close()
    })

    it('returns all entries in pages, each once', async () => {
      const store = await create()
      const numbers = Array.from({ length: 25 }, (_, number) => number)
      // Across several days.
      const entries = numbers.map((number) => auditEntry(number * 20_000))
      await store.append(entries)
      const found: string[] = []
      let before: string | undefined
      let pages = 0
      do {
        const page = await store.query(ALL, { limit: 10, before })
        expect(page.entries.length).toBeLessThanOrEqual(10)
        found.push(...idsOf(page.entries))
        before = page.next
        pages += 1
      } while (before !== undefined)
      expect(pages).toBe(3)
      expect(found).toEqual(idsOf(entries).reverse())
      await store.close()
    })

    it('has no next page if the last one is full', async () => {
      const store = await create()
      await store.append([auditEntry(1), auditEntry(2)])
      expect(await store.query(ALL, { limit: 2 })).not.toHaveProperty('next')
      await store.close()
    })

    it('filters by time: the start is included, the end is not', async () => {
      const store = await create()
      await store.append([1, 2, 3].map((number) => auditEntry(number)))
      const filter = { since: START + 1_000, until: START + 3_000 }
      expect(await find(store, filter)).toEqual(idsOf([auditEntry(2), auditEntry(1)]))
      expect(await collect(store.export(filter))).toHaveLength(2)
      await store.close()
    })

    it.each<[string, AuditFilter, number[]]>([
      ['the id of a person', { person: 'https%3A%2F%2Fid.example ada' }, [1, 2, 4]],
      ['the name of a person', { person: 'grace hopper' }, [3]],
      ['an email address', { person: 'ADA@example.com' }, [1, 2, 4]],
      ['issuer and subject', { person: 'https://id.example ada' }, [1, 2, 4]],
      ['a subject', { person: 'ada' }, [1, 2, 4]],
      ['a part of a name, which does not match', { person: 'Lovelace' }, []],
      ['the person whom refused credentials name', { person: 'k7' }, [4]],
      ['a tool', { tool: 'create_issue' }, [1]],
      ['a tool of a server', { tool: 'github/delete_repo' }, [2]],
      ['a pattern', { tool: 'github/*' }, [1, 2]],
      ['a pattern without a server', { tool: '*_repo' }, [2]],
      ['characters that databases interpret, which match nothing', { tool: 'create%issue' }, []],
      ['an underscore, which stands for itself', { tool: 'create_issu_' }, []],
      ['a server', { server: 'github' }, [1, 2]],
      ['an action', { action: 'key.create' }, [4]],
      ['a kind', { kind: 'admin' }, [4]],
      ['a profile', { profile: 'support' }, [2]],
      ['a client', { client: 'cursor' }, [3]],
      ['an outcome', { outcome: 'denied' }, [2]],
      ['searches that found nothing', { notFound: true }, [3]],
      ['a text in a query', { text: 'INVOICE' }, [3]],
      ['a text in the reason', { text: 'rules[0]' }, [2]],
      ['a text in the error', { text: '100%' }, [2]],
      ['a text that is nowhere', { text: "' OR 1=1 --" }, []],
      ['several at once', { server: 'github', outcome: 'ok' }, [1]],
    ])('filters by %s', async (_name, filter, expected) => {
      const store = await create()
      await store.append([
        auditEntry(1),
        auditEntry(2, {
          target: { kind: 'tool', server: 'github', name: 'delete_repo' },
          outcome: 'denied',
          reason: 'toolsearch.access.rules[0].deny[0]',
          profile: 'support',
          error: 'Not 100% sure.',
        }),
        auditEntry(3, {
          person: 'https%3A%2F%2Fid.example grace',
          name: 'Grace Hopper',
          email: 'grace@example.com',
          target: { kind: 'meta', name: 'tool_search' },
          client: 'cursor',
          searches: [
            { query: 'send an invoice', hits: [] },
            { query: 'send mail', hits: ['mail__send'] },
          ],
        }),
        auditEntry(4, {
          kind: 'admin',
          action: 'key.create',
          target: { kind: 'meta', name: 'key k1' },
          claimed: 'key k7',
        }),
      ])
      const found = expected.map((number) => auditEntry(number).id).reverse()
      expect(await find(store, filter)).toEqual(found)
      expect(idsOf(await collect(store.export(filter))).sort()).toEqual(found.toSorted())
      await store.close()
    })

    it('keeps texts that try to look like other entries', async () => {
      const store = await create()
      const forged = JSON.stringify(auditEntry(9, { name: 'Mallory' }))
      const hostile = auditEntry(1, {
        client: `x\n${forged}\r\n`,
        name: `Robert'); DROP TABLE audit;--`,
        searches: [{ query: `\u2028${forged}\u2029\u0085\u001b[2K`, hits: [] }],
      })
      await store.append([hostile])
      expect(await store.query(ALL, { limit: 10 })).toEqual({ entries: [hostile] })
      await store.close()
    })

    it('stores what many writers append at the same time', async () => {
      const store = await create()
      const numbers = Array.from({ length: 200 }, (_, number) => number)
      await Promise.all(numbers.map((number) => store.append([auditEntry(number)])))
      expect(await collect(store.export(ALL))).toHaveLength(200)
      await store.close()
    })

    it('returns a request once: as unknown until it has ended', async () => {
      const store = await create()
      const [cutOff, started] = [1, 2].map((number) => auditEntry(number, { outcome: 'unknown' }))
      await store.append([cutOff!, started!])
      const unknown = { outcome: 'unknown' } as const
      expect(await find(store, unknown)).toEqual([started!.id, cutOff!.id])
      const ended = { ...started!, id: endId(started!.id), outcome: 'ok' as const }
      await store.append([ended, auditEntry(3)])
      expect(await store.query(ALL, { limit: 10 })).toEqual({
        entries: [auditEntry(3), ended, cutOff],
      })
      expect(idsOf(await collect(store.export(unknown)))).toEqual([cutOff!.id])
      // A page that ends between the start and its end.
      const { entries, next } = await store.query(ALL, { limit: 2 })
      expect(idsOf(entries)).toEqual([auditEntry(3).id, ended.id])
      expect(await store.query(ALL, { limit: 2, before: next })).toEqual({ entries: [cutOff] })
      await store.close()
    })

    it('deletes entries before a time, and leaves the others', async () => {
      const store = await create()
      const perDay = DAY_MS / 1_000
      await store.append([0, 1, 2, 3].map((day) => auditEntry(day * perDay)))
      await store.prune(START - (START % DAY_MS) + 2 * DAY_MS)
      expect(await find(store, ALL)).toEqual(
        idsOf([auditEntry(3 * perDay), auditEntry(2 * perDay)]),
      )
      await store.close()
    })
  })
}
