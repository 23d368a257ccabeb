import { describe, expect, it } from 'vitest'
import type { LearningStore } from './learning-store.ts'
import { type Use, useId } from './use.ts'

/** The contract every store for learning keeps. Each store's own test file starts by calling this. */
export function describeLearningStore(
  create: () => LearningStore,
  /** Another store of the same data, as another process has it. */
  createOther: (store: LearningStore) => LearningStore,
): void {
  describe('learning store contract', () => {
    it('starts empty', async () => {
      expect(await create().read()).toEqual([])
    })

    it('returns what was added, and what another process added', async () => {
      const store = create()
      const other = createOther(store)
      await store.add([use('send_email'), use('read_file')])
      await other.add([use('ask_"quoted"_ä')])
      const names = async (from: LearningStore) =>
        (await from.read()).map(({ tool }) => tool).sort()
      expect(await names(store)).toEqual(['ask_"quoted"_ä', 'read_file', 'send_email'])
      expect(await names(other)).toEqual(await names(store))
    })

    it('replaces a use with the same id', async () => {
      const store = create()
      await store.add([use('send_email', { at: 1 })])
      expect(await store.read()).toEqual([use('send_email', { at: 1 })])
      await createOther(store).add([use('send_email', { at: 2 })])
      expect(await store.read()).toEqual([use('send_email', { at: 2 })])
    })

    it('loses nothing if several processes add at the same time', async () => {
      const store = create()
      const writers = [store, createOther(store), createOther(store)]
      const tools = Array.from({ length: 30 }, (_, at) => `tool_${at}`)
      await Promise.all(tools.map((tool, at) => writers[at % 3]!.add([use(tool)])))
      expect((await store.read()).map(({ tool }) => tool).sort()).toEqual([...tools].sort())
    })

    it('removes uses, also those that another process added, and ignores unknown ids', async () => {
      const store = create()
      await store.add([use('send_email'), use('read_file')])
      await createOther(store).remove([use('send_email').id, 'f'.repeat(16)])
      expect(await store.read()).toEqual([use('read_file')])
      await store.remove([])
      await store.remove([use('read_file').id])
      expect(await store.read()).toEqual([])
    })

    it('removes everything', async () => {
      const store = create()
      await store.clear?.()
      await store.add([use('send_email')])
      await createOther(store).add([use('read_file')])
      await (store.clear?.() ?? store.remove((await store.read()).map(({ id }) => id)))
      expect(await store.read()).toEqual([])
      expect(await createOther(store).read()).toEqual([])
    })
  })
}

function use(tool: string, fields: Partial<Use> = {}): Use {
  const about = { tool, person: 'ada', words: 'tell someone the news' }
  return { id: useId(about), ...about, at: 1_700_000_000_000, found: true, ...fields }
}
