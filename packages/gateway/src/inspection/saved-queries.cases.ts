import { describe, expect, it } from 'vitest'
import type { SavedQueries } from './saved-queries.ts'

/**
 * The contract of every store of saved queries.
 *
 * @param open opens the same empty storage twice for each test, as two processes would
 */
export function describeSavedQueries(
  open: () => Promise<readonly [SavedQueries, SavedQueries]>,
): void {
  describe('saved queries contract', () => {
    it('is empty at first', async () => {
      const [saved] = await open()
      expect(await saved.read()).toEqual({ queries: [], problems: [] })
      expect(await saved.remove('nothing')).toBe(false)
    })

    it('adds, replaces and removes queries, in the order in which they were added', async () => {
      const [one, other] = await open()
      await one.save({ query: 'send mail', relevant: ['mail__send'] })
      await one.save({ query: 'pay', relevant: [] })
      await one.save({ query: 'send mail', relevant: ['mail__send', 'mail__reply'] })
      expect((await other.read()).queries).toEqual([
        { query: 'send mail', relevant: ['mail__send', 'mail__reply'] },
        { query: 'pay', relevant: [] },
      ])
      expect(await other.remove('send mail')).toBe(true)
      expect((await one.read()).queries).toEqual([{ query: 'pay', relevant: [] }])
    })

    it('keeps all queries that are saved at the same time', async () => {
      const [saved] = await open()
      const names = Array.from({ length: 20 }, (_, index) => `query ${index}`)
      await Promise.all(names.map((query) => saved.save({ query, relevant: [query] })))
      const { queries } = await saved.read()
      expect(queries.map(({ query }) => query).sort()).toEqual(names.sort())
    })

    it('accepts any text', async () => {
      const [one, other] = await open()
      const texts = ["'; drop table x; --", 'a\0b', '\ud800', '"\n\\', '$1', 'x'.repeat(20_000)]
      for (const text of texts) await one.save({ query: text, relevant: [text] })
      const { queries } = await other.read()
      expect(queries).toEqual(texts.map((text) => ({ query: text, relevant: [text] })))
      for (const text of texts) expect(await one.remove(text)).toBe(true)
    })
  })
}
