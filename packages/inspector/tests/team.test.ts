import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scriptedAgent } from '../../../examples/scripted-agent.ts'
import { freePort } from '../../../testing/services/free-port.ts'
import {
  type IdentityProvider,
  startIdentityProvider,
} from '../../../testing/services/start-identity-provider.ts'
import { recorded, type Serving, serving } from '../../gateway/src/cli/serving.fixtures.ts'
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
    mcpServers: { everything: recorded },
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
  const tab = await browser.newPageOfStranger()
  await tab.goto(page)
  await tab.getByRole('link', { name: 'Sign in' }).click()
  await tab.getByPlaceholder('Enter any login').fill(name)
  await tab.getByPlaceholder('and password').fill('anything')
  await tab.getByRole('button', { name: 'Sign-in' }).click()
  await tab.getByRole('button', { name: 'Continue' }).click()
  return tab
}

describe('the page of a gateway for a team', () => {
  let ann: Page
  beforeAll(async () => {
    ann = await signIn('ann')
  })

  it('shows administrators people, what they may use and why, and what they did', async () => {
    const agent = await scriptedAgent(`${page}mcp`, { name: 'nightly-agent', token: key })
    await expect.poll(() => agent.search('add two numbers')).toContain('everything__get-sum')
    await agent.call('everything__echo', { message: 'denied' }).catch(() => {})
    await agent.close()

    await ann.getByRole('link', { name: 'Team' }).click()
    await ann.getByRole('link', { name: 'nightly', exact: true }).click()
    await ann.getByRole('heading', { name: 'nightly' }).waitFor()
    const row = ann.getByRole('row').filter({ hasText: 'everything/echo' })
    await row.getByText('Denied').waitFor()
    await row.getByText('toolsearch.access.rules[1].deny[0]').waitFor()

    await ann.getByRole('button', { name: 'Audit log' }).click()
    await ann.getByText('“add two numbers”').first().waitFor()
    await ann.getByLabel('Outcome').selectOption('denied')
    await ann.locator('.audit-entry').getByText('everything/echo').first().waitFor()
  })

  it('creates an API key that works, and revokes it', async () => {
    await ann.goto(`${page}#/team?tab=keys`)
    await ann.getByRole('button', { name: 'Create a key…' }).click()
    await ann.getByLabel('Name').fill('reports')
    await ann.getByLabel('Groups').fill('ci')
    await ann.getByRole('button', { name: 'Create', exact: true }).click()
    const secret = await ann.locator('code.secret').innerText()
    await ann.getByRole('button', { name: 'Done' }).click()
    const agent = await scriptedAgent(`${page}mcp`, { name: 'reports', token: secret })
    await agent.close()

    await ann.getByRole('button', { name: 'Revoke… reports' }).click()
    await ann.getByRole('button', { name: 'Revoke', exact: true }).click()
    await ann.getByRole('row').filter({ hasText: 'reports' }).getByText('Revoked').waitFor()
    await expect(scriptedAgent(`${page}mcp`, { name: 'reports', token: secret })).rejects.toThrow()
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
  })
})
