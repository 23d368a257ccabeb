import { describe, expect, it } from 'vitest'
import type { SignInKey, SignInStore, StoredSignIn } from './sign-in-store.ts'

const CRM: SignInKey = { name: 'crm', url: 'https://crm.example/mcp' }

const signIn = (token: string): StoredSignIn => ({
  tokens: { access_token: token, token_type: 'Bearer', refresh_token: `${token}-refresh` },
  wantedScope: 'read write',
})

/**
 * The contract every store of sign-ins keeps. Each store's own test file starts by calling this.
 *
 * @param open opens the same empty storage twice for each test, as two processes would
 */
export function describeSignInStore(
  open: () => Promise<readonly [SignInStore, SignInStore]>,
): void {
  describe('sign-in store contract', () => {
    it('stores a sign-in that every process can read, replace and remove', async () => {
      const [one, other] = await open()
      expect(await one.read(CRM)).toBeUndefined()
      await one.write(CRM, signIn('a'))
      expect(await other.read(CRM)).toEqual(signIn('a'))
      await other.write(CRM, signIn('b'))
      expect(await one.read(CRM)).toEqual(signIn('b'))
      expect(await one.remove(CRM)).toBe(true)
      expect(await other.remove(CRM)).toBe(false)
      expect(await other.read(CRM)).toBeUndefined()
    })

    it('keeps names and URLs apart, whatever their text', async () => {
      const [store] = await open()
      const texts = ['crm', 'CRM', '', "'; drop table toolsearch_sign_ins; --", 'a\0', '../x']
      const keys = texts.flatMap((text) => [
        { name: text, url: CRM.url },
        { name: 'other', url: text },
      ])
      for (const [index, key] of keys.entries()) await store.write(key, signIn(`token ${index}`))
      for (const [index, key] of keys.entries()) {
        expect(await store.read(key)).toEqual(signIn(`token ${index}`))
      }
    })

    it('keeps any text in a token', async () => {
      const [one, other] = await open()
      for (const text of ['\0', '\ud800', '"\\\n', 'x'.repeat(200_000)]) {
        await one.write(CRM, signIn(text))
        expect(await other.read(CRM)).toEqual(signIn(text))
      }
    })

    it('runs one task at a time for each sign-in', async () => {
      const stores = await open()
      await stores[0].write(CRM, signIn('0'))
      await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          stores[index % 2]!.withLock(CRM, async ({ read, write }) => {
            const count = Number((await read())!.tokens!.access_token)
            await new Promise((resolve) => setTimeout(resolve, 5))
            expect(await write(signIn(String(count + 1)))).toBe(true)
          }),
        ),
      )
      expect(await stores[1].read(CRM)).toEqual(signIn('10'))
    })

    it('does not wait for the lock of another sign-in', async () => {
      const [one, other] = await open()
      const second = { ...CRM, name: 'wiki' }
      await one.withLock(CRM, () => other.withLock(second, ({ write }) => write(signIn('a'))))
      expect(await one.read(second)).toEqual(signIn('a'))
    })

    it('writes a sign-in without a lock after one was written with it', async () => {
      const [one, other] = await open()
      await one.withLock(CRM, ({ write }) => write(signIn('locked')))
      await other.write(CRM, signIn('unlocked'))
      expect(await one.read(CRM)).toEqual(signIn('unlocked'))
      await one.withLock(CRM, ({ write }) => write(signIn('again')))
      expect(await other.read(CRM)).toEqual(signIn('again'))
    })

    it('tells other processes about a change', async () => {
      const [one, other] = await open()
      let count = 0
      const stop = other.onChange(() => {
        count += 1
      })
      await one.write(CRM, signIn('a'))
      await expect.poll(() => count).toBeGreaterThan(0)
      stop()
    })
  })
}
