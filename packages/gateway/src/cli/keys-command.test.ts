import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshDatabase } from '../../../../testing/services/fresh-database.ts'
import { type Serving, serving } from './serving.fixtures.ts'

let gateway: Serving
beforeAll(async () => {
  gateway = await serving({
    mcpServers: { missing: { command: 'no-such-command' } },
    toolsearch: { identity: { url: 'http://localhost:7777' }, profiles: { sales: {} } },
  })
})
afterAll(() => gateway.end())

const list = async (...args: string[]) =>
  JSON.parse((await gateway.run('keys', 'list', '--json', ...args)).out)

it('creates a key, shows it once, and revokes it', async () => {
  const created = await gateway.run(
    'keys',
    'create',
    'nightly build',
    '--group',
    'ci',
    '--expires',
    '30d',
  )
  expect(created.code).toBe(0)
  expect(created.out).toMatch(/^tsk_\w{12}_\w{49}\n$/)
  expect(created.err).toContain('cannot be shown again')
  const key = created.out.trim()
  const [found] = await list()
  expect(found).toMatchObject({
    name: 'nightly build',
    groups: ['ci'],
    role: 'member',
    state: 'valid',
  })
  expect(JSON.stringify(found)).not.toContain(key.slice(-20))
  expect(found).not.toHaveProperty('hash')
  expect((await gateway.run('keys')).out).toContain('nightly build  (groups ci; created')
  expect((await gateway.run('keys', 'revoke', found.id)).code).toBe(0)
  expect((await gateway.run('keys', 'revoke', found.id)).code).toBe(1)
  expect(await list()).toEqual([])
  expect(await list('--all')).toMatchObject([{ id: found.id, state: 'revoked' }])
})

it('limits a key to tools and profiles', async () => {
  const { out } = await gateway.run(
    ...['keys', 'create', 'bot', '--allow', 'github/*', '--allow', 'jira/get_*'],
    ...['--profile', 'sales', '--expires', 'never', '--json'],
  )
  const { key, expiresAt, ...about } = JSON.parse(out)
  expect(key).toMatch(/^tsk_/)
  expect(expiresAt).toBeUndefined()
  expect(about).toMatchObject({
    role: 'member',
    scope: { allow: ['github/*', 'jira/get_*'], profiles: ['sales'] },
  })
})

it('creates a key of an administrator, but not a limited one', async () => {
  const create = (...args: string[]) =>
    gateway.run('keys', 'create', 'bot', '--role', 'administrator', '--json', ...args)
  expect(JSON.parse((await create()).out)).toMatchObject({ role: 'administrator' })
  for (const limit of [
    ['--allow', 'github/*'],
    ['--profile', 'sales'],
  ]) {
    const { code, err } = await create(...limit)
    expect(code).toBe(2)
    expect(err).toContain('A limited key cannot be that of an administrator.')
  }
})

it('warns about a limit that matches no server, and creates the key', async () => {
  const { code, out, err } = await gateway.run('keys', 'create', 'x', '--allow', 'misisng/*')
  expect(code).toBe(0)
  expect(out).toMatch(/^tsk_/)
  expect(err).toContain('Warning: --allow "misisng/*" matches no server. Did you mean "missing/*"?')
})

it('needs neither servers nor the encryption key in the file of another machine', async () => {
  const elsewhere = await serving({
    mcpServers: {},
    toolsearch: {
      state: { postgres: await freshDatabase() },
      encryption: { keyFile: 'not-on-this-machine.key' },
    },
  })
  const [keys, audit] = await Promise.all([elsewhere.run('keys', 'list'), elsewhere.run('audit')])
  await elsewhere.end()
  expect(keys).toMatchObject({ code: 0, err: expect.stringContaining('There are no keys.') })
  expect(audit).toMatchObject({ code: 0 })
})

it.each([
  [['create'], 'What is the key for?'],
  [['create', 'x', '--allow', 'github/'], '--allow "github/" can never match.'],
  [['create', 'x', 'y'], 'Unexpected argument "y"'],
  [['create', 'x', '--role', 'root'], 'Invalid --role "root"'],
  [['create', 'x', '--expires', '2001-01-01'], 'Invalid --expires'],
  [['create', 'x', '--expires', 'soon'], 'Invalid --expires'],
  [['create', 'x', '--profile', 'other'], 'There is no profile "other". Profiles: sales.'],
  [['revoke'], 'Which key?'],
  [['remove', 'x'], 'Unknown action "remove"'],
])('explains mistakes: keys %j', async (args, message) => {
  const { code, err } = await gateway.run('keys', ...args)
  expect(code).toBe(2)
  expect(err).toContain(message)
})

it('lets a running gateway accept a new key at once, and reject it once it is revoked', async () => {
  const { url } = await gateway.http('--port', '0')
  const status = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` }
    return (await fetch(new URL('/api/me', url), { headers })).status
  }
  const { out } = await gateway.run('keys', 'create', 'x', '--json')
  const { key, id } = JSON.parse(out)
  expect(await status(key)).toBe(200)
  await gateway.run('keys', 'revoke', id)
  await expect.poll(() => status(key), { timeout: 5_000 }).toBe(401)
})

it('does not start with a shared token as well', async () => {
  gateway.env.TOOLSEARCH_TOKEN = 'secret'
  const { code, err } = await gateway.run('serve', '--http', '--port', '0')
  delete gateway.env.TOOLSEARCH_TOKEN
  expect(code).toBe(2)
  expect(err).toContain('Unset TOOLSEARCH_TOKEN')
})
