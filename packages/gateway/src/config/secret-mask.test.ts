import { describe, expect, it } from 'vitest'
import { createSecretMask, LONGEST_SECRET } from './secret-mask.ts'
import { secretValues } from './secret-values.ts'

const local = (env: Record<string, string>, args: string[] = []) =>
  secretValues({ kind: 'stdio', command: 'x', args, env })
const remote = (url: string, headers: Record<string, string> = {}) =>
  secretValues({ kind: 'http', url, headers })

describe('secretValues', () => {
  it.each([
    ['API_KEY', 'abcd'],
    ['DB_PASS', 'hunter2'],
    ['GITHUB_TOKEN', 'ghp_0123456789abcdef'],
    ['MY_SETTING', 'sk-proj-0123456789'],
    ['MY_SETTING', 'p4ssw0rd!'],
    ['SESSION', '/wEPDwUKMTY3==abcdefghijklmnop'],
  ])('contains %s=%s', (name, value) => {
    expect(local({ [name]: value })).toEqual([value])
  })

  it.each([
    ['API_KEY', ''],
    ['TOKEN', 'abc'],
    ['USE_TOKEN', 'true'],
    ['AUTH', 'basic'],
    ['GOOGLE_APPLICATION_CREDENTIALS', '/home/me/credentials.json'],
    ['LOG_LEVEL', 'warning'],
    ['NODE_ENV', 'production'],
    ['REGION', 'us-east-1'],
    ['MODEL', 'gpt-4o-mini'],
    ['HOST', 'db.internal.example.com:5432'],
    ['VERSION', 'v1.22.333-beta'],
    ['PORT', '12345678'],
    ['URL', 'https://example.com/mcp?page=12'],
  ])('does not contain %s=%s', (name, value) => {
    expect(local({ [name]: value })).toEqual([])
  })

  it.each([
    ['postgres://me:s3cret@db/x', ['s3cret', 's3cret']],
    ['https://ghp_0123456789abcdef@github.com/', expect.arrayContaining(['ghp_0123456789abcdef'])],
    ['https://x.dev/a1b2c3d4e5f6a7b8c9d0e1f2/sse', ['a1b2c3d4e5f6a7b8c9d0e1f2']],
    ['https://x.dev/mcp?api_key=s3cret&page=3', ['s3cret']],
  ])('contains the credentials of %s', (url, secrets) => {
    expect(remote(url)).toEqual(secrets)
    expect(local({ ANY: url })).toEqual(secrets)
  })

  it('contains secrets of headers and arguments', () => {
    const headers = { Authorization: 'Bearer abcdef', 'X-Api-Key': 's3cret', Accept: 'text/html' }
    expect(remote('https://x.dev', headers)).toEqual(['abcdef', 's3cret'])
    const args = ['--api-key', 's3cret', '--token=t0ken', '--port', '8080', 'sk-0123456789', '-y']
    expect(local({}, args)).toEqual(['s3cret', 't0ken', 'sk-0123456789'])
  })
})

describe('createSecretMask', () => {
  it('masks secrets wherever they appear, the longest first', () => {
    const mask = createSecretMask(['hunter2-long', 'hunter2', 'a b"c&d'])
    expect(mask.text('x hunter2-long hunter2, a%20b%22c%26d {"a b\\"c&d"}')).toBe(
      'x *** ***, *** {"***"}',
    )
  })

  it('masks a short secret only as a word of its own', () => {
    expect(createSecretMask(['test']).text('test latest testing "test"')).toBe(
      '*** latest testing "***"',
    )
  })

  it('does not mask secrets of up to three characters', () => {
    expect(createSecretMask(['a', '', '123']).text('a 123')).toBe('a 123')
  })

  it('masks each line of a private key', () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkq'.repeat(2)}\n-----END PRIVATE KEY-----`
    expect(createSecretMask([key]).text(`x ${'MIIEvQIBADANBgkq'.repeat(2)} y`)).toBe('x *** y')
  })

  it('masks secrets that overlap as one', () => {
    expect(createSecretMask(['first-second', 'second-third']).text('x first-second-third y')).toBe(
      'x *** y',
    )
  })

  it('masks any of many long tokens', () => {
    const tokens = Array.from({ length: 100 }, (_, at) => `${at}.${'token'.repeat(800)}.${at}`)
    const mask = createSecretMask(tokens)
    for (const token of tokens) expect(mask.text(`Bearer ${token}!`)).toBe('Bearer ***!')
  })

  it('masks the beginning of a secret that nobody could enter', () => {
    const secret = Array.from({ length: LONGEST_SECRET }, (_, at) => at).join()
    const rest = secret.slice(LONGEST_SECRET)
    expect(createSecretMask([secret]).text(secret)).toBe(`***${rest}`)
  })

  it('masks strings in JSON, and keeps the reference of values without secrets', () => {
    const mask = createSecretMask()
    const value = { a: ['my-secret', 1], b: null }
    expect(mask.json(value)).toBe(value)
    mask.add('my-secret')
    expect(mask.json(value)).toEqual({ a: ['***', 1], b: null })
    const other = { a: ['x'] }
    expect(mask.json(other)).toBe(other)
  })
})
