import { describe, expect, it } from 'vitest'
import type {
  ApprovalChanges,
  ApprovalStore,
  StoredApprovals,
  ToolRecord,
} from './approval-store.ts'
import type { PastDefinition } from './definition-history.ts'

const NONE: ApprovalChanges = { seen: new Map(), decided: new Map(), replaced: new Map() }

const records = (...entries: [server: string, tool: string, record: ToolRecord][]) => {
  const all = new Map<string, Map<string, ToolRecord>>()
  for (const [server, tool, record] of entries) {
    all.set(server, (all.get(server) ?? new Map()).set(tool, record))
  }
  return all
}

const past = (text: string, day: number, isApproved = false): PastDefinition => ({
  replacedAt: new Date(Date.UTC(2026, 0, day)).toISOString(),
  isApproved,
  definition: { name: 'send', description: text, inputSchema: { type: 'object' } },
})

const recordOf = ({ records }: StoredApprovals, server: string, tool: string) =>
  records.get(server)?.get(tool)

/**
 * The contract every approval store keeps. Each store's own test file starts by calling this.
 *
 * @param open opens the same empty storage twice for each test, as two processes would
 */
export function describeApprovalStore(
  open: () => Promise<readonly [ApprovalStore, ApprovalStore]>,
): void {
  describe('approval store contract', () => {
    it('is empty at first', async () => {
      const [store] = await open()
      const { records, history, newWaits } = await store.read()
      expect([records.size, history.size, newWaits]).toEqual([0, 0, false])
    })

    it('stores what every process can read', async () => {
      const [one, other] = await open()
      const decided = records(
        ['mail', 'send', { approved: 'f1', before: { isBlocked: true } }],
        ['mail', 'delete', { isBlocked: true, before: {} }],
      )
      const seen = records(['crm', 'find', { approved: 'f2' }])
      const replaced = new Map([['mail', new Map([['send', [past('new', 2), past('old', 1)]]])]])
      const stored = await one.save({ seen, decided, replaced, newWaits: true })
      expect(await other.read()).toEqual(stored)
      expect(recordOf(stored, 'mail', 'send')).toEqual({
        approved: 'f1',
        before: { isBlocked: true },
      })
      expect(recordOf(stored, 'mail', 'delete')).toEqual({ isBlocked: true, before: {} })
      expect(recordOf(stored, 'crm', 'find')).toEqual({ approved: 'f2' })
      expect(stored.history.get('mail')?.get('send')).toEqual([past('new', 2), past('old', 1)])
      expect(stored.newWaits).toBe(true)
    })

    it('prefers what is stored to what was seen, and decisions to what is stored', async () => {
      const [one, other] = await open()
      await one.save({ ...NONE, seen: records(['mail', 'send', { approved: 'first' }]) })
      await other.save({ ...NONE, seen: records(['mail', 'send', { approved: 'second' }]) })
      expect(recordOf(await one.read(), 'mail', 'send')).toEqual({ approved: 'first' })
      await other.save({ ...NONE, decided: records(['mail', 'send', { isBlocked: true }]) })
      expect(recordOf(await one.read(), 'mail', 'send')).toEqual({ isBlocked: true })
    })

    it('leaves alone what a change does not mention', async () => {
      const [one] = await open()
      await one.save({
        ...NONE,
        seen: records(['mail', 'send', { approved: 'f' }]),
        newWaits: true,
      })
      const stored = await one.save(NONE)
      expect(recordOf(stored, 'mail', 'send')).toEqual({ approved: 'f' })
      expect(stored.newWaits).toBe(true)
      expect((await one.save({ ...NONE, newWaits: false })).newWaits).toBe(false)
    })

    it('loses no decision when processes save at the same time', async () => {
      const stores = await open()
      const tools = Array.from({ length: 30 }, (_, index) => `tool_${index}`)
      await Promise.all(
        tools.map((tool, index) =>
          stores[index % 2]!.save({
            ...NONE,
            decided: records(['mail', tool, { isBlocked: true }]),
            seen: records(['mail', 'common', { approved: tool }]),
            replaced: new Map([['mail', new Map([[tool, [past(tool, 1)]]])]]),
          }),
        ),
      )
      const stored = await stores[0].read()
      for (const tool of tools) {
        expect(recordOf(stored, 'mail', tool)).toEqual({ isBlocked: true })
        expect(stored.history.get('mail')?.get(tool)).toHaveLength(1)
      }
    })

    it('keeps all past definitions of a tool that processes add at the same time', async () => {
      const stores = await open()
      await Promise.all(
        [1, 2, 3, 4].map((day) =>
          stores[day % 2]!.save({
            ...NONE,
            replaced: new Map([['mail', new Map([['send', [past(`text ${day}`, day)]]])]]),
          }),
        ),
      )
      const { history } = await stores[1].read()
      expect(history.get('mail')?.get('send')).toEqual([
        past('text 4', 4),
        past('text 3', 3),
        past('text 2', 2),
        past('text 1', 1),
      ])
    })

    it('keeps the 500 tools that changed last', async () => {
      const [one, other] = await open()
      const tools = Array.from({ length: 520 }, (_, index) => `tool_${index}`)
      const replaced = new Map([
        ['mail', new Map(tools.map((tool, index) => [tool, [past(tool, 1 + index)]]))],
      ])
      await one.save({ ...NONE, replaced })
      const { history } = await other.read()
      expect(history.get('mail')?.size).toBe(500)
      expect(history.get('mail')?.has('tool_0')).toBe(false)
      expect(history.get('mail')?.has('tool_519')).toBe(true)
    })

    it('accepts any text as a name', async () => {
      const [one, other] = await open()
      const names = [
        '',
        ' ',
        "'; drop table toolsearch_approvals; --",
        '"',
        '\\',
        '\\u0000',
        '\n',
        '$1',
        '%s',
        'a\0b',
        '\ud800',
        'constructor',
        'x'.repeat(100_000),
      ]
      const decided = records(
        ...names.map((name): [string, string, ToolRecord] => [name, name, { approved: name }]),
      )
      await one.save({ ...NONE, decided })
      const stored = await other.read()
      for (const name of names) {
        expect(recordOf(stored, name, name), JSON.stringify(name.slice(0, 40))).toEqual({
          approved: name,
        })
      }
    })

    it('stores thousands of tools at once', async () => {
      const [one, other] = await open()
      const tools = Array.from({ length: 5_000 }, (_, index) => `tool_${index}`)
      const seen = records(
        ...tools.map((tool): [string, string, ToolRecord] => ['big', tool, { approved: tool }]),
      )
      await one.save({ ...NONE, seen })
      expect((await other.read()).records.get('big')?.size).toBe(5_000)
    })

    it('tells other processes about a change', async () => {
      const [one, other] = await open()
      let count = 0
      const stop = other.onChange(() => {
        count += 1
      })
      await one.save({ ...NONE, decided: records(['mail', 'send', { isBlocked: true }]) })
      await expect.poll(() => count).toBeGreaterThan(0)
      stop()
    })
  })
}
