import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { personValue } from '../../packages/gateway/src/accounts/accounts.fixtures.ts'
import { API_ROUTES } from '../../packages/gateway/src/inspection/handle-api.ts'
import { MEMBER_ROUTES } from '../../packages/gateway/src/inspection/routes/member-routes.ts'
import { type Rig, startRig } from './rig.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig.close())

const reads = Object.entries(API_ROUTES)
  .filter(([, route]) => route.GET)
  .map(([path]) => ({ method: 'GET', path }))
const changes = Object.entries(API_ROUTES).flatMap(([path, { GET: _, ...route }]) =>
  Object.entries(route).map(([method, { action, dryRun }]) => ({
    method,
    path,
    action,
    hasDryRun: dryRun !== undefined,
  })),
)

/** The documented routes, with the names of the table. */
async function documented(): Promise<string[]> {
  const page = await readFile(join(import.meta.dirname, '../../docs/inspector.md'), 'utf8')
  return [...page.matchAll(/^\| `(\w+ \/api\/[^`]+)`/gm)].map(([, route]) =>
    route!.replace(/ID$/, 'NAME'),
  )
}

describe('the table of routes', () => {
  it('is what the page of the documentation lists', async () => {
    const listed = (await documented()).filter((route) => !route.includes('/accounts'))
    const known = [...reads, ...changes].map(({ method, path }) => `${method} ${path}`)
    expect(new Set(listed)).toEqual(new Set(known))
  })

  it('calls no two changes by the same name', () => {
    expect(new Set(changes.map(({ action }) => action)).size).toBe(changes.length)
  })
})

/** A name that exists for a path, if there can be one, so that the change takes effect. */
const named = (path: string) =>
  path.replace('NAME', path.startsWith('/api/tools') ? 'notes__read' : 'notes')

const BODIES: Record<string, object> = {
  'tool.call': { arguments: {} },
  'config.edit': { action: 'deny', server: 'notes', tool: 'write' },
  'key.create': { name: 'made', role: 'administrator' },
  'query.save': { query: 'read notes', relevant: ['notes__read'] },
}

describe('a change', () => {
  const queries = [
    '',
    '?dry=0',
    '?dry=false',
    '?dry',
    '?dry=1',
    '?dry=true',
    '?dry=x',
    '?a&dry',
    '?DRY=1',
  ]

  it('is recorded, whatever its query', async () => {
    const expected: Record<string, number> = {}
    for (const { method, path, action, hasDryRun } of changes) {
      for (const query of queries) {
        const isDry = /[?&]dry(?!=0|=false)/.test(query)
        const { status, text } = await rig.send({
          path: `${named(path)}${query}`,
          method,
          as: rig.admin,
          ...(method === 'POST' && { body: BODIES[action] ?? {} }),
        })
        if (isDry) {
          const answer = hasDryRun
            ? [200, expect.any(String)]
            : [400, expect.stringMatching('dry run')]
          expect([action, query, status, text]).toEqual([action, query, ...answer])
        }
        if (isDry && hasDryRun) continue
        // A call that was made is recorded like that of an agent.
        const recorded = action === 'tool.call' && !isDry ? 'tools/call' : action
        expected[recorded] = (expected[recorded] ?? 0) + 1
      }
    }
    await expect
      .poll(async () => {
        const all = await Promise.all(
          Object.keys(expected).map((action) => rig.audited({ action })),
        )
        return Object.fromEntries(all.map((entries) => [entries[0]?.action, entries.length]))
      })
      // The first key is that of the rig.
      .toEqual({ ...expected, 'key.create': expected['key.create']! + 1 })
  })

  it('that was only tried has changed nothing', async () => {
    const body = { action: 'deny', server: 'notes', tool: 'read' }
    await rig.send({ path: '/api/config?dry', method: 'POST', as: rig.admin, body })
    const text = await readFile(join(rig.served.folder, 'toolsearch.json'), 'utf8')
    expect(text).not.toContain('"read"')
    const { json } = await rig.send({ path: '/api/keys', as: rig.admin })
    const made = json.keys.filter(({ name }: { name: string }) => name === 'made')
    // Without a query, with `dry=0` and `dry=false`, and with `DRY`, which means nothing.
    expect(made).toHaveLength(4)
  })

  it('that does not exist is recorded as well, if an administrator tries it', async () => {
    await rig.send({ path: '/api/keys/x/renew?dry', method: 'POST', as: rig.admin })
    await expect
      .poll(() => rig.audited({ action: 'POST /api/keys/NAME/renew' }))
      .toMatchObject([{ outcome: 'failed' }])
  })
})

it('a change does not take effect if it cannot be recorded, but must be', async () => {
  const own = await startRig({
    servers: {
      mail: {
        url: 'http://127.0.0.1:9/mcp',
        headers: { 'x-key': personValue('KEY') },
        toolsearch: { credentials: 'person' },
      },
    },
    settings: {
      audit: { to: 'file', required: true },
      encryption: { key: 'k'.repeat(43).concat('=') },
    },
  })
  onTestFinished(own.close)
  const values = { body: { values: { KEY: 'chosen' } } }
  const attempts: [string, string, object][] = [
    ['POST', '/api/config', { body: BODIES['config.edit']! }],
    ['POST', '/api/keys', { body: BODIES['key.create']! }],
    ['POST', '/api/saved', { body: BODIES['query.save']! }],
    ['POST', '/api/servers/notes/restart', {}],
    ['POST', '/api/tools/notes__read/block', {}],
    ['PUT', '/api/accounts/mail/values', values],
  ]
  const attempt = async () => {
    const statuses: number[] = []
    for (const [method, path, more] of attempts) {
      statuses.push((await own.send({ method, path, as: own.admin, ...more })).status)
    }
    return statuses
  }
  const state = async () => {
    const paths = ['/api/keys', '/api/saved', '/api/accounts', '/api/tools/notes__read']
    const answers = await Promise.all(paths.map((path) => own.send({ path, as: own.admin })))
    const [keys, saved, accounts, tool] = answers.map(({ json }) => json)
    const config = await readFile(join(own.served.folder, 'toolsearch.json'), 'utf8')
    const values = accounts.accounts[0].values
    const sent = own.notes.requests.length
    return [config, sent, keys.keys.length, saved.queries, values, tool.access]
  }
  const audit = join(own.served.folder, 'cache', 'audit')
  await rename(audit, `${audit} elsewhere`)
  await writeFile(audit, '')
  const before = await state()
  expect(await attempt()).toEqual(attempts.map(() => 503))
  expect(await state()).toEqual(before)
  await rm(audit)
  await rename(`${audit} elsewhere`, audit)
  expect(await attempt()).toEqual([200, 200, 200, 200, 200, 204])
  // The attempts are recorded as soon as that is possible again.
  const outcomesOf = async (action: string) =>
    (await own.audited({ action })).map(({ outcome }) => outcome)
  for (const action of ['config.edit', 'query.save', 'server.restart']) {
    expect(await outcomesOf(action)).toEqual(['ok', 'failed'])
  }
  expect(await outcomesOf('account.set-values')).toEqual(['ok'])
  expect(await outcomesOf('PUT /api/accounts/NAME/values')).toEqual(['failed'])
})

describe('a limited key', () => {
  const limits = [
    ['tools', { allow: ['notes/read'] }],
    ['effects', { allow: ['read'] }],
    ['a profile', { profiles: ['sales'] }],
  ] as const

  it.each(limits)('cannot be that of an administrator if it is limited to %s', async (_, limit) => {
    const about = { role: 'administrator', ...limit }
    await expect(rig.key('limited', about)).rejects.toThrow(/limited key/)
    const args = Object.entries(limit).flatMap(([name, [value]]) =>
      name === 'allow' ? ['--allow', value] : ['--profile', value],
    )
    const { code } = await rig.served.run('keys', 'create', 'x', '--role', 'administrator', ...args)
    expect(code).toBe(2)
  })

  it('is that of a member on every route, even if it was stored as that of an administrator', async () => {
    const key = await rig.key('limited', { allow: ['notes/read'] })
    const keys = join(rig.served.folder, 'cache', 'keys')
    const file = join(keys, (await readdir(keys))[0]!)
    const stored = await readFile(file, 'utf8')
    const id = key.split('_')[1]!
    const changed = JSON.stringify(
      JSON.parse(stored, (_, value) =>
        value?.id === id ? { ...value, role: 'administrator' } : value,
      ),
    )
    expect(changed).toContain('"allow"')
    await writeFile(file, changed)
    const me = await rig.send({ path: '/api/me', as: key })
    expect(me.json).toMatchObject({ name: 'limited', role: 'member' })
    for (const { method, path } of [...reads, ...changes]) {
      if (path in MEMBER_ROUTES) continue
      const { status, json } = await rig.send({
        path: named(path),
        method,
        as: key,
        ...(method === 'POST' && { body: {} }),
      })
      expect([path, status, json.error]).toEqual([path, 403, 'Only administrators may see this.'])
    }
    expect((await rig.rpc('tools/list', {}, { as: key })).status).toBe(200)
  })
})
