import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Inspector, startInspector, type Visit, visit } from './inspector.fixtures.ts'
import { openBrowser, type TestBrowser } from './open-browser.ts'

describe('the views', () => {
  let inspector: Inspector
  let browser: TestBrowser
  let visited: Visit
  let page: Page

  beforeAll(async () => {
    ;[inspector, browser] = await Promise.all([
      startInspector({ hasDemoServers: true }),
      openBrowser(),
    ])
    const agent = await inspector.agent('claude-code')
    await agent.search('list the orders of a customer')
    await agent.call('shop__list_order', { id: '7' })
    await agent.search('book a flight to the moon')
    await agent.call('shop__list_order')
    await agent.close()
    visited = await visit(await browser.newPage(), inspector.page)
    page = visited.page
  })
  afterAll(async () => {
    await Promise.all([browser?.close(), inspector?.end()])
  })
  beforeEach(() => () => expect(visited.problems).toEqual([]))

  const go = (hash: string) => page.goto(`${inspector.page}${hash}`)
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

  it('overview: shows servers, costs and savings', async () => {
    await go('#/')
    await heading('Overview')
    const servers = page.getByRole('region', { name: 'Servers' })
    await servers.waitFor()
    expect(await servers.getByRole('listitem').count()).toBe(3)
    expect(await servers.innerText()).toMatch(/company[\s\S]*Ready[\s\S]*85 tools/)
    const figures = await page.locator('.readouts').innerText()
    expect(figures).toMatch(/Tokens saved per request\s+[\d,]+\s+\d+/)
    expect(figures).toMatch(/Servers\s+3\s+3 ready/)
    expect(await page.locator('.treemap-tool').count()).toBeGreaterThan(40)
    const unlabelled = page.locator('.treemap-tool:not(:has(span))')
    expect(await unlabelled.count()).toBeLessThan(6)
    await page.getByRole('region', { name: 'Connect a client' }).getByRole('button').click()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(JSON.parse(copied)).toHaveProperty('mcpServers')
    await page.getByText('Copied the client configuration').waitFor()
  })

  it('overview: a tool of the treemap links to the catalogue', async () => {
    await go('#/')
    const cell = page.getByRole('link', { name: /^company__calendar__update_event: \d+ tokens$/ })
    await cell.click()
    const name = 'company__calendar__update_event'
    await page.getByRole('heading', { level: 2, name }).waitFor()
    expect(page.url()).toContain(`#/catalogue?tool=${name}`)
  })

  it('catalogue: filters with the real search, and opens a tool', async () => {
    await go('#/catalogue')
    await page.getByText('114 tools').waitFor()
    await page.getByLabel('Filter by search').fill('refund a payment')
    const first = page.locator('.row').first()
    await first.filter({ hasText: 'refund_payment' }).waitFor()
    await first.click()
    const tool = page.locator('article')
    await tool.getByRole('heading', { name: 'Parameters' }).waitFor()
    const text = await tool.innerText()
    expect(text).toContain('company__payments__refund_payment')
    expect(text).toMatch(/required/)
    expect(text).toMatch(/Agents find it by search\./)
    expect(text).toMatch(/payments__refund_payment on company/)
    await page.waitForURL(/query=refund\+a\+payment&tool=company__payments__refund_payment$/)
  })

  it('catalogue: shows recursive parameters', async () => {
    await go('#/catalogue?tool=shop__delete_customer')
    await page.locator('article').getByText('list of list of').waitFor()
  })

  it('catalogue: going back closes the open tool', async () => {
    await go('#/catalogue?query=refund')
    await page.locator('.row').first().click()
    await page.locator('article').waitFor()
    await page.goBack()
    await page.getByText('Nothing selected').waitFor()
    expect(await page.getByLabel('Filter by search').inputValue()).toBe('refund')
  })

  it('catalogue: reports an unknown tool', async () => {
    await go('#/catalogue?tool=nowhere')
    await page.getByRole('alert').getByText('There is no tool "nowhere"').waitFor()
    expect(visited.problems.splice(0)).toEqual([expect.stringContaining('404')])
  })

  it('search lab: shows results with reasons, near misses and the text for the model', async () => {
    await go('#/search')
    await heading('Search lab')
    await page.getByLabel('Query', { exact: true }).pressSequentially('send a mail to a customer')
    const first = page.locator('.hit').first()
    await first.getByRole('link', { name: 'company__mail__send_mail' }).waitFor()
    await first
      .locator('.part')
      .filter({ hasText: /mail.*name/ })
      .first()
      .waitFor()
    const answer = page.getByRole('region', { name: 'Text for the model' })
    expect(await answer.innerText()).toMatch(/\d+ tokens/)
    expect(await answer.innerText()).toContain('company__mail__send_mail')
    await page.getByRole('region', { name: 'Near misses' }).waitFor()
    await page.waitForURL(/#\/search\?query=send\+a\+mail\+to\+a\+customer$/)
  })

  it('search lab: a late answer never replaces a newer one', async () => {
    await go('#/search')
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let isAnswered = false
    await page.route('**/api/search?query=refund', async (route) => {
      await released
      await route.continue().catch(() => {})
      isAnswered = true
    })
    const field = page.getByLabel('Query', { exact: true })
    const asked = page.waitForRequest('**/api/search?query=refund')
    await field.fill('refund')
    // Otherwise the page may skip the query, because there is a newer one.
    await asked
    await field.fill('send a mail')
    const first = page.locator('.hit').first()
    await first.getByRole('link', { name: 'company__mail__send_mail' }).waitFor()
    release()
    await expect.poll(() => isAnswered).toBe(true)
    expect(await first.innerText()).toContain('company__mail__send_mail')
    await page.unroute('**/api/search?query=refund')
  })

  it('search lab: explains why a tool is not returned', async () => {
    await go('#/search?query=send+a+mail')
    await page.getByLabel('Tool name').fill('shop__list_order')
    await page
      .getByText(/shop__list_order scored below .* too far behind the best \(rank \d+/)
      .waitFor()
  })

  it('search lab: compares two rankers', async () => {
    await go('#/search?query=send+a+mail')
    const options = await page.getByLabel('Compare with').locator('option').allInnerTexts()
    expect(options.length).toBeGreaterThan(2)
    await page.getByLabel('Compare with').selectOption({ index: options.length - 1 })
    await page.locator('.lab-two .column').nth(1).locator('.hit').first().waitFor()
    await page.waitForURL(/compare=/)
  })

  it('search lab: saves a query with its expected results, and shows recall', async () => {
    await go('#/search?query=send+a+mail')
    await page
      .getByRole('button', { name: 'company__mail__send_mail is an expected result' })
      .click()
    await page.getByRole('button', { name: 'Save with expected results' }).click()
    const saved = page.getByRole('region', { name: 'Saved queries' })
    await saved.getByRole('link', { name: 'send a mail' }).waitFor()
    expect(await saved.innerText()).toMatch(/Recall at 5\s+100%/)
    await saved.getByRole('button', { name: 'Remove the query send a mail' }).click()
    await saved.getByText('No saved queries yet').waitFor()
  })

  it('search lab: reports why a query could not be removed', async () => {
    await go('#/search?query=paint+the+garage')
    await page.getByRole('button', { name: 'Save with no expected results' }).click()
    const remove = page.getByRole('button', { name: 'Remove the query paint the garage' })
    await remove.waitFor()
    const error = 'The gateway could not answer: EACCES'
    await page.route('**/api/saved?*', (route) =>
      route.request().method() === 'DELETE'
        ? route.fulfill({ status: 500, json: { error } })
        : route.continue(),
    )
    await remove.click()
    await page.getByRole('alert').getByText(error).waitFor()
    expect(visited.problems.splice(0)).toEqual([expect.stringContaining('500')])
    await page.unroute('**/api/saved?*')
    await remove.click()
    await remove.waitFor({ state: 'detached' })
  })

  it('live: shows sessions, loaded tools, events and token costs', async () => {
    await go('#/live')
    await page.locator('.event').getByText('book a flight to the moon').waitFor()
    await page
      .getByRole('link', { name: /claude-code/ })
      .first()
      .click()
    await page.getByRole('heading', { name: 'Loaded tools' }).waitFor()
    expect(await page.locator('.loaded').innerText()).toContain('shop__list_order')
    expect(await page.locator('.ledger').innerText()).toMatch(/Saved\s+[\d,]+/)
    expect(page.url()).toContain('#/live?session=')
  })

  it('misses: links failed searches to the search lab', async () => {
    await go('#/misses')
    await page.getByText('Found nothing', { exact: true }).waitFor()
    await page.getByRole('link', { name: /book a flight to the moon/ }).click()
    await heading('Search lab')
    expect(await page.getByLabel('Query', { exact: true }).inputValue()).toBe(
      'book a flight to the moon',
    )
    await go('#/misses')
    await page.getByText('Not enough searches yet').waitFor()
  })
})
