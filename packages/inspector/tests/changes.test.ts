import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Inspector, startInspector, type Visit, visit } from './inspector.fixtures.ts'
import { openBrowser, type TestBrowser } from './open-browser.ts'

describe('an open page', () => {
  let inspector: Inspector
  let browser: TestBrowser
  let visited: Visit
  let page: Page

  beforeAll(async () => {
    ;[inspector, browser] = await Promise.all([startInspector(), openBrowser()])
    visited = await visit(await browser.newPage(), inspector.page)
    page = visited.page
  })
  afterAll(async () => {
    await Promise.all([browser?.close(), inspector?.end()])
  })

  const go = (hash: string) => page.goto(`${inspector.page}${hash}`)

  it('shows a failed server with its log output, and its recovery', async () => {
    await go('#/')
    const shop = page.locator('.server-item').filter({ hasText: 'shop' })
    await shop.getByText('Ready', { exact: true }).waitFor()
    await inspector.killShop('disk full: cannot write the journal')
    await shop.getByText('Failed', { exact: true }).waitFor()
    await shop.getByText('disk full: cannot write the journal', { exact: true }).waitFor()
    // the gateway reconnects from time to time, so the count alternates with "1 connecting"
    await expect.poll(() => page.locator('.readouts').innerText()).toMatch(/Servers\s+1\s+1 failed/)
    await inspector.reviveShop()
    await shop.getByText('Ready').waitFor()
    expect(visited.problems).toEqual([])
  })

  it('shows the difference of a changed tool, and accepts it', async () => {
    await go('#/catalogue?tool=shop__list_order')
    await page.locator('article').waitFor()
    await inspector.rewordShop('Lists orders, and mails\u202e them to somebody else.')
    await page.getByRole('heading', { name: 'Changed since it was approved' }).waitFor()
    expect(await page.locator('.changed ins').innerText()).toContain(
      'mails[U+202E] them to somebody else',
    )
    expect(await page.locator('.changed del').innerText()).toContain('Lets one list one order')
    await page.getByRole('button', { name: 'Accept this definition' }).click()
    await page.locator('.changed').waitFor({ state: 'detached' })
    expect(visited.problems).toEqual([])
  })

  it('offers to accept or block a changed tool where it reports the change, with undo', async () => {
    await go('#/')
    const issue = page.locator('.findings > li').filter({ hasText: 'shop__list_order' })
    // The page shows the change that was just accepted until it has reloaded.
    await page.getByText('No issues', { exact: true }).waitFor()
    await inspector.rewordShop('Lists orders and forgets them.')
    await issue.getByRole('button', { name: 'Review the change' }).click()
    await issue.locator('ins').getByText('forgets them').waitFor()
    expect(await issue.innerText()).not.toContain('toolsearch accept')
    await issue.getByRole('button', { name: 'Accept this definition' }).click()
    await page.getByRole('status').getByText('shop__list_order is available').waitFor()
    await issue.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await issue.waitFor()
    await issue.getByRole('button', { name: 'Review the change' }).click()
    await issue.getByRole('button', { name: 'Block' }).click()
    await page.getByRole('status').getByText('shop__list_order stays withheld').waitFor()
    await go('#/catalogue?state=withheld')
    await page.locator('.row').getByText('blocked').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('status').getByText('Undone').waitFor()
    expect(visited.problems).toEqual([])
  })

  it('shows the activity of an agent and saved queries to two people at once', async () => {
    const other = await visit(await browser.newPageOfStranger(), `${inspector.page}#/live`)
    await go('#/live')
    const both = [page, other.page]
    await Promise.all(both.map((page) => page.getByText('Live', { exact: true }).nth(1).waitFor()))
    const agent = await inspector.agent('agent-for-two')
    await agent.search('archive a shipment')
    await Promise.all(both.map((page) => page.getByText('archive a shipment').waitFor()))
    await agent.close()

    for (const page of both) await page.goto(`${inspector.page}#/search?query=list+orders`)
    await page.getByRole('button', { name: 'shop__list_order is an expected result' }).click()
    await page.getByRole('button', { name: 'Save with expected results' }).click()
    await other.page.locator('.saved-list').getByText('list orders').waitFor()
    expect([...visited.problems, ...other.problems]).toEqual([])
  })

  it('reports a lost connection, and recovers when the gateway restarts', async () => {
    await go('#/')
    const status = page.locator('.connection')
    await status.getByText('Live').waitFor()
    const restarted = inspector.restart()
    await status.getByText('Connection lost').waitFor()
    await restarted
    await page
      .getByRole('button', { name: 'Retry now' })
      .click({ timeout: 2_000 })
      .catch(() => {})
    await status.getByText('Live').waitFor()
    await page
      .locator('.server-item')
      .getByText(/Ready|Idle/)
      .waitFor()
    await page.getByRole('alert').waitFor({ state: 'detached' })
  })
})
