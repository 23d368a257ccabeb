import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { personValue } from '../accounts/accounts.fixtures.ts'
import { faultyServer } from '../upstreams/fixtures/servers.fixtures.ts'
import { type Serving, serving, until } from './serving.fixtures.ts'

const { kind: _, ...local } = faultyServer().connection
const key = randomBytes(32).toString('base64')

function config(encryption: object) {
  return {
    mcpServers: {
      tool: {
        ...local,
        env: { API_KEY: personValue('API_KEY') },
        toolsearch: { credentials: 'person' },
      },
    },
    toolsearch: { identity: { url: 'http://127.0.0.1:7777' }, audit: {}, encryption },
  }
}

let gateway: Serving
beforeAll(async () => {
  gateway = await serving(config({ key }))
})
afterAll(() => gateway.end())

it('doctor says what it cannot check', async () => {
  const { out, code } = await gateway.run('doctor')
  expect(out).toContain('- tool needs values that each person enters, so it was not checked.')
  expect(out).toContain('set API_KEY')
  expect(code).toBe(0)
})

it("lists, encrypts and removes people's accounts while a gateway runs", async () => {
  const apiKey = (await gateway.run('keys', 'create', 'robot')).out.trim()
  const { url } = await gateway.http()
  const ask = (method: string, path: string, body?: object) =>
    fetch(new URL(path, url), {
      method,
      headers: { authorization: `Bearer ${apiKey}` },
      ...(body && { body: JSON.stringify(body) }),
    })
  const accounts = async () => {
    const answer = (await (await ask('GET', '/api/accounts')).json()) as {
      accounts: { state: string; connection?: { state: string } }[]
    }
    return answer.accounts[0]!
  }
  expect((await gateway.run('accounts')).out).toBe('Nobody has connected an account.\n')
  const values = { API_KEY: 'secret-of-the-robot' }
  expect((await ask('PUT', '/api/accounts/tool/values', { values })).status).toBe(204)
  await until(accounts, ({ connection }) => connection?.state === 'ready')

  const listed = await gateway.run('accounts', 'list', '--json')
  const [account] = JSON.parse(listed.out)
  expect(account).toMatchObject({ issuer: 'key', server: 'tool' })
  expect(listed.out).not.toContain('secret-of-the-robot')

  await gateway.write(config({ key: randomBytes(32).toString('base64'), previousKeys: [key] }))
  expect((await gateway.run('accounts', 'reencrypt')).out).toBe(
    'Encrypted 1 account with the current key.\n',
  )
  await gateway.write(config({ key }))
  const unreadable = await gateway.run('accounts', 'reencrypt')
  expect(unreadable.code).toBe(1)
  expect(unreadable.err).toContain('1 account cannot be decrypted.')

  const removed = await gateway.run('accounts', 'remove', account.issuer, account.subject)
  expect(removed.out).toBe('Removed 1 account: tool.\n')
  await until(accounts, ({ state, connection }) => {
    return state === 'not-connected' && connection?.state === 'needs-sign-in'
  })
  const { out } = await gateway.run('audit', '--admin')
  expect(out).toContain(`account.remove tool of key ${account.subject}`)
  expect(out).toContain('account.reencrypt 1 account')
})

it.each([
  [['nonsense'], 'Unknown action "nonsense"'],
  [['remove', 'only-issuer'], 'Whose accounts?'],
  [['list', 'more'], 'Unexpected argument "more"'],
])('rejects %j', async (args, message) => {
  const { code, err } = await gateway.run('accounts', ...args)
  expect(code).toBe(2)
  expect(err).toContain(message)
})
