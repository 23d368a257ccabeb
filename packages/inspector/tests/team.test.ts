import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scriptedAgent } from '../../../examples/scripted-agent.ts'
import { freePort } from '../../../testing/services/free-port.ts'
import {
  type IdentityProvider,
  startIdentityProvider,
} from '../../../testing/services/start-identity-provider.ts'
import { everything, type Serving, serving } from '../../gateway/src/cli/serving.fixtures.ts'
import { visit } from './inspector.fixtures.ts'
import { openBrowser, type TestBrowser } from './open-browser.ts'

let gateway: Serving
let provider: IdentityProvider
let browser: TestBrowser
let page: string
let key: string

beforeAll(async () => {
  const port = await freePort()
  page = `http://127.0.0.1:${port}/`
  provider = await startIdentityProvider({
    clients: [
      {
        client_id: 'page',
        token_endpoint_auth_method: 'none',
        redirect_uris: [`${page}sign-in/callback`],
      },
    ],
  })
  gateway = await serving({
    mcpServers: { everything },
    toolsearch: {
      identity: {
        url: page.slice(0, -1),
        issuers: [{ issuer: provider.issuer, page: { clientId: 'page' } }],
        administrators: ['admins'],
      },
      access: {
        rules: [{ groups: ['ci'], allow: ['everything/*'] }, { deny: ['everything/echo'] }],
      },
      rateLimits: [{ each: 'person', calls: 1_000, per: 'minute' }],
      audit: {},
    },
  })
  provider.people.set('ann', { groups: ['admins'] })
  const created = await gateway.run('keys', 'create', 'nightly', '--group', 'ci', '--json')
  ;({ key } = JSON.parse(created.out) as { key: string })
  browser = await openBrowser()
  await gateway.http('--port', String(port))
})
afterAll(async () => {
  await Promise.all([browser?.close(), gateway?.end(), provider?.close()])
})

/** Signs in at the provider as somebody, from the page's own button. */
async function signIn(name: string) {
  // Not checked for requests to other sites: the provider has an address of its own.
  const { page: tab } = await visit(browser, page)
  await tab.getByRole('link', { name: 'Sign in' }).click()
  await tab.getByPlaceholder('Enter any login').fill(name)
  await tab.getByPlaceholder('and password').fill('anything')
  await tab.getByRole('button', { name: 'Sign-in' }).click()
  await tab.getByRole('button', { name: 'Continue' }).click()
  return tab
}

describe('the page of a gateway for a team', () => {
  it('shows administrators people, what they may use and why, and what they did', async () => {
    const agent = await scriptedAgent(`${page}mcp`, { name: 'nightly-agent', token: key })
    await expect.poll(() => agent.search('add two numbers')).toContain('everything__get-sum')
    await agent.call('everything__echo', { message: 'denied' }).catch(() => {})
    await agent.close()

    const tab = await signIn('ann')
    await tab.getByRole('link', { name: 'Team' }).click()
    await tab.getByRole('link', { name: 'nightly', exact: true }).click()
    await tab.getByRole('heading', { name: 'nightly' }).waitFor()
    const row = tab.getByRole('row').filter({ hasText: 'everything/echo' })
    await row.getByText('Denied').waitFor()
    await row.getByText('toolsearch.access.rules[1].deny[0]').waitFor()

    await tab.getByRole('button', { name: 'Audit log' }).click()
    await tab.getByText('“add two numbers”').first().waitFor()
    await tab.getByLabel('Outcome').selectOption('denied')
    await tab.locator('.audit-entry').getByText('everything/echo').first().waitFor()
    await tab.context().close()
  })

  it('creates an API key that works, and revokes it', async () => {
    const tab = await signIn('ann')
    await tab.goto(`${page}#/team?tab=keys`)
    await tab.getByRole('button', { name: 'Create a key…' }).click()
    await tab.getByLabel('Name').fill('reports')
    await tab.getByLabel('Groups').fill('ci')
    await tab.getByRole('button', { name: 'Create', exact: true }).click()
    const secret = await tab.locator('code.secret').innerText()
    await tab.getByRole('button', { name: 'Done' }).click()
    const agent = await scriptedAgent(`${page}mcp`, { name: 'reports', token: secret })
    await agent.close()

    await tab.getByRole('button', { name: 'Revoke… reports' }).click()
    await tab.getByRole('button', { name: 'Revoke', exact: true }).click()
    await tab.getByRole('row').filter({ hasText: 'reports' }).getByText('Revoked').waitFor()
    await expect(scriptedAgent(`${page}mcp`, { name: 'reports', token: secret })).rejects.toThrow()
    await tab.context().close()
  })

  it('shows members their accounts and nothing of others, and lets them sign out', async () => {
    const tab = await signIn('bob')
    await tab.getByRole('heading', { name: 'Accounts', exact: true }).waitFor()
    expect(await tab.getByRole('navigation').getByRole('link').allInnerTexts()).toEqual([
      'Accounts',
    ])
    await tab.goto(`${page}#/team?tab=audit`)
    await tab.getByRole('heading', { name: 'Accounts', exact: true }).waitFor()
    await tab.getByRole('button', { name: 'Sign out' }).click()
    await tab.getByRole('heading', { name: 'Sign in' }).waitFor()
    await tab.context().close()
  })
})
