import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createSecretBox, type SecretOwner } from './secret-box.ts'

const owner: SecretOwner = {
  person: 'idp alice',
  server: 'crm',
  url: 'https://crm.example/mcp',
  field: 'signIn',
}
const key = randomBytes(32)
const box = createSecretBox({ current: key, previous: [] })

describe('createSecretBox', () => {
  it.each(['', 'token', 'ключ 🔑', 'x'.repeat(100_000)])('opens what it sealed', (text) => {
    const sealed = box.seal(text, owner)
    expect(sealed).toMatch(/^v1\.[0-9a-f]{12}\.[\w-]{16}\.[\w-]+$/)
    expect(box.open(sealed, owner)).toBe(text)
  })

  it('never seals the same text in the same way', () => {
    const sealed = new Set(Array.from({ length: 100 }, () => box.seal('token', owner)))
    expect(sealed.size).toBe(100)
  })

  it.each([
    { person: 'idp bob' },
    { server: 'wiki' },
    { url: 'https://crm.example/other' },
    { field: 'values' },
  ])('does not open a secret that was moved to another owner: %o', (change) => {
    expect(box.open(box.seal('token', owner), { ...owner, ...change })).toBeUndefined()
  })

  it('opens nothing if any character was changed', () => {
    const sealed = box.seal('token', owner)
    for (let at = 0; at < sealed.length; at++) {
      const other = sealed[at] === 'A' ? 'B' : 'A'
      const changed = sealed.slice(0, at) + other + sealed.slice(at + 1)
      // the last character of base64url may contain bits that mean nothing
      const isSame = Buffer.from(changed.split('.')[3] ?? '', 'base64url').equals(
        Buffer.from(sealed.split('.')[3]!, 'base64url'),
      )
      if (!isSame || at < sealed.lastIndexOf('.')) {
        expect(box.open(changed, owner), `character ${at}`).toBeUndefined()
      }
    }
    for (const text of ['', 'token', sealed.slice(0, -4), `${sealed}.x`, '{"tokens":{}}']) {
      expect(box.open(text, owner)).toBeUndefined()
    }
  })

  it('opens secrets of previous keys, and tells them from those of the current key', () => {
    const old = box.seal('token', owner)
    const rotated = createSecretBox({ current: randomBytes(32), previous: [key] })
    expect(rotated.open(old, owner)).toBe('token')
    expect(rotated.isCurrent(old)).toBe(false)
    expect(rotated.isCurrent(rotated.seal('token', owner))).toBe(true)
    const other = createSecretBox({ current: randomBytes(32), previous: [] })
    expect(other.open(old, owner)).toBeUndefined()
  })
})
