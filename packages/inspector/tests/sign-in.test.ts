import { expect, it } from 'vitest'
import { freePort } from '../../../testing/services/free-port.ts'
import { startIdentityProvider } from '../../../testing/services/start-identity-provider.ts'
import { serving } from '../../gateway/src/cli/serving.fixtures.ts'
import { visit } from './inspector.fixtures.ts'
import { openBrowser } from './open-browser.ts'

it('lets a person sign in with the identity provider, and out again', async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const client = { client_id: 'page', token_endpoint_auth_method: 'none' }
  const redirect_uris = [`${url}/sign-in/callback`]
  const provider = await startIdentityProvider({ clients: [{ ...client, redirect_uris }] })
  provider.people.set('ann', { groups: ['admins'] })
  const issuers = [{ issuer: provider.issuer, page: { clientId: 'page' } }]
  const gateway = await serving({
    mcpServers: { missing: { command: 'no-such-command' } },
    toolsearch: { identity: { url, issuers, administrators: ['admins'] } },
  })
  const [browser] = await Promise.all([openBrowser(), gateway.http('--port', String(port))])
  try {
    const { page, problems } = await visit(await browser.newPageOfStranger(), `${url}/#/catalogue`)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByPlaceholder('Enter any login').fill('ann')
    await page.getByPlaceholder('and password').fill('x')
    await page.getByRole('button', { name: 'Sign-in' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(`${url}/#/catalogue`)
    await page.locator('.connection').getByText('Live').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    // the pages of the provider have problems of their own
    expect(problems.filter((problem) => problem.includes('Security Policy'))).toEqual([])
  } finally {
    await Promise.all([browser.close(), gateway.end(), provider.close()])
  }
})

it('asks a person in the browser before an MCP client gets access through the proxy', async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const client = { client_id: 'app', token_endpoint_auth_method: 'none' }
  const redirect_uris = [`${url}/oauth/callback`]
  const clients = [{ ...client, redirect_uris }]
  const provider = await startIdentityProvider({ entraAudience: 'app', clients })
  const proxy = { clientId: 'app', scopes: ['openid', 'tools'] }
  const issuers = [{ issuer: provider.issuer, audience: ['app'], proxy }]
  const gateway = await serving({
    mcpServers: { missing: { command: 'no-such-command' } },
    toolsearch: { identity: { url, issuers } },
  })
  const [browser] = await Promise.all([openBrowser(), gateway.http('--port', String(port))])
  try {
    const callback = 'http://127.0.0.1:9/callback'
    const parameters = new URLSearchParams({
      response_type: 'code',
      client_id: 'app',
      redirect_uri: callback,
      state: 'mine',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    })
    const page = await browser.newPageOfStranger()
    await page.route(`${callback}*`, (route) => route.fulfill({ body: 'done' }))
    await page.goto(`${url}/oauth/authorize?${parameters}`)
    await page.getByText('an application on this computer (127.0.0.1:9)').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByPlaceholder('Enter any login').fill('ann')
    await page.getByPlaceholder('and password').fill('x')
    await page.getByRole('button', { name: 'Sign-in' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(`${callback}*`)
    const { searchParams } = new URL(page.url())
    expect(searchParams.get('state')).toBe('mine')
    expect(searchParams.get('iss')).toBe(url)
    expect(searchParams.get('code')).toBeTruthy()
  } finally {
    await Promise.all([browser.close(), gateway.end(), provider.close()])
  }
})
