import { describe, expect, it } from 'vitest'
import { recordArguments } from './record-arguments.ts'

const mask = (text: string) => text.replaceAll('hunter2', '***')
const args = {
  title: 'Broken build',
  labels: ['bug', 'ci'],
  count: 3,
  draft: false,
  parent: null,
  password: 'correct horse',
  auth: { user: 'ada', code: 12 },
  note: 'The password is hunter2, the key ghp_abcdefghijklmnopqrstuvwxyz0123',
  items: [{ id: 1 }, { id: 2 }, 'x'],
}

describe('recordArguments', () => {
  it('records nothing', () => {
    expect(recordArguments(args, { how: 'none', mask })).toBeUndefined()
    expect(recordArguments(undefined, { how: 'full', mask })).toBeUndefined()
  })

  it('records names and types', () => {
    expect(recordArguments(args, { how: 'shape', mask })).toEqual({
      title: 'string',
      labels: ['string'],
      count: 'number',
      draft: 'boolean',
      parent: 'null',
      password: 'string',
      auth: { user: 'string', code: 'number' },
      note: 'string',
      items: [{ id: 'number' }, 'string'],
    })
  })

  it('records values without secrets: by name, by pattern and known ones', () => {
    expect(recordArguments(args, { how: 'redacted', mask })).toEqual({
      ...args,
      password: '***',
      auth: '***',
      note: 'The password is ***, the key ***',
    })
  })

  it('cuts long values', () => {
    const found = recordArguments({ body: 'a b '.repeat(1_000) }, { how: 'redacted', mask })
    expect((found as { body: string }).body).toMatch(/^(a b ){50}… \(4000 characters\)$/)
    const short = recordArguments({ body: 'a b '.repeat(60) }, { how: 'redacted', mask })
    expect((short as { body: string }).body).toMatch(/… \(240 characters\)$/)
  })

  it('looks for secrets in so much of the arguments, and cuts the rest', () => {
    const texts = Array.from({ length: 100 }, () => 'hunter2 '.repeat(1_000))
    const found = recordArguments({ a: texts }, { how: 'redacted', mask }) as { a: string[] }
    expect(found.a[0]).toMatch(/^(\*\*\* )+… \(8000 characters\)$/)
    expect(found.a[99]).toBe('… (8000 characters)')
    expect(JSON.stringify(found)).not.toContain('hunter2')
  })

  it('does not record a secret of which only the start is near the cut', () => {
    const secret = `ghp_${'a1'.repeat(40)}`
    const found = recordArguments(
      { body: `${'x '.repeat(95)}${secret}` },
      { how: 'redacted', mask },
    )
    expect(JSON.stringify(found)).not.toContain('ghp_')
  })

  it('limits depth and number of entries', () => {
    let deep: unknown = 'x'
    for (let depth = 0; depth < 1_000; depth++) deep = { deep }
    const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, key) => [`k${key}`, 1]))
    for (const how of ['shape', 'redacted'] as const) {
      const found = recordArguments({ deep, wide, list: Array(10_000).fill('x') }, { how, mask })
      expect(JSON.stringify(found).length).toBeLessThan(5_000)
    }
  })

  it('records everything, except for characters that databases reject and huge arguments', () => {
    expect(recordArguments(args, { how: 'full', mask })).toEqual(args)
    expect(recordArguments({ a: 'x\u0000\ud800' }, { how: 'full', mask })).toEqual({
      a: 'x\ufffd\ufffd',
    })
    const huge = { a: 'x'.repeat(1_000_000) }
    expect(recordArguments(huge, { how: 'full', mask })).toBe('(1000008 bytes, not recorded)')
  })
})
