import { describe, expect, it } from 'vitest'
import { digestOf } from '../../skills/verify-file.ts'
import type { SkillTextStore } from './skill-texts.ts'

const digest = (text: string) => digestOf(Buffer.from(text))

/**
 * The contract every store of texts keeps. Each store's own test file starts by calling this.
 *
 * @param open opens an empty store for each test that keeps this many bytes
 */
export function describeSkillTextStore(open: (maxBytes: number) => Promise<SkillTextStore>): void {
  describe('skill text store contract', () => {
    it('returns texts by their digests', async () => {
      const store = await open(1_000)
      const text = '---\r\nname: größe\n---\n\u0000 🙂'
      await store.write(digest(text), text)
      await store.write(digest(text), text)
      expect(Buffer.from((await store.read(digest(text)))!).toString('utf8')).toBe(text)
      expect(await store.read(digest('other'))).toBeUndefined()
    })

    it('removes the texts that were not written for the longest time', async () => {
      const store = await open(25)
      const [one, two, three] = ['a', 'b', 'c'].map((each) => each.repeat(10)) as [
        string,
        string,
        string,
      ]
      await store.write(digest(one), one)
      await tick()
      await store.write(digest(two), two)
      await tick()
      await store.write(digest(one), one)
      await tick()
      await store.write(digest(three), three)
      const found = await Promise.all([one, two, three].map((text) => store.read(digest(text))))
      expect(found.map((each) => each !== undefined)).toEqual([true, false, true])
    })
  })
}

/** Lets the clock move on, so that two writes have different times. */
async function tick(): Promise<void> {
  const start = Date.now()
  while (Date.now() < start + 2) await new Promise((resolve) => setImmediate(resolve))
}
