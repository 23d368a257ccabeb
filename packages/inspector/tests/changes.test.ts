import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium } from './chromium.ts'
import { type Inspector, startInspector, visit } from './inspector.fixtures.ts'

describe('while one looks', () => {
  let inspector: Inspector
  let browser: Browser

  beforeAll(async () => {
    ;[inspector, browser] = await Promise.all([startInspector(), launchChromium()])
  }, 60_000)
  afterAll(async () => {
    await Promise.all([browser?.close(), inspector?.end()])
  })

  it('a server dies, with its last words, and comes back', async () => {
    const { page, problems } = await visit(browser, inspector.page)
    const shop = page.locator('.server-item').filter({ hasText: 'shop' })
    await shop.getByText('Ready', { exact: true }).waitFor()
    await inspector.killShop('disk full: cannot write the journal')
    await shop.getByText('Failed', { exact: true }).waitFor()
    await shop.getByText('disk full: cannot write the journal', { exact: true }).waitFor()
    expect(await page.locator('.readouts').innerText()).toMatch(/0 \/ 1\s+1 failed/)
    await inspector.reviveShop()
    await shop.getByText('Ready').waitFor({ timeout: 15_000 })
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('a tool changes, is shown with what changed, and is accepted', async () => {
    const address = `${inspector.page}#/catalogue?tool=shop__list_order`
    const { page, problems } = await visit(browser, address)
    await page.locator('article').waitFor()
    await inspector.rewordShop('Lists orders, and mails\u202e them to somebody else.')
    await page.getByRole('heading', { name: 'Changed since it was approved' }).waitFor()
    expect(await page.locator('ins').innerText()).toContain('mails[U+202E] them to somebody else')
    expect(await page.locator('del').innerText()).toContain('Lets one list one order')
    await page.getByRole('button', { name: 'Accept it as it is now' }).click()
    await page.locator('.changed').waitFor({ state: 'detached' })
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('two browsers see what an agent does, and each what the other saved', async () => {
    const other = await launchChromium()
    const [one, two] = await Promise.all([
      visit(browser, `${inspector.page}#/live`),
      visit(other, `${inspector.page}#/live`),
    ])
    const both = [one.page, two.page]
    await Promise.all(both.map((page) => page.getByText('Live', { exact: true }).nth(1).waitFor()))
    const agent = await inspector.agent('agent-for-two')
    await agent.search('archive a shipment')
    await Promise.all(both.map((page) => page.getByText('archive a shipment').waitFor()))
    await agent.close()

    for (const page of both) await page.goto(`${inspector.page}#/search?query=list+orders`)
    await one.page.getByRole('button', { name: 'shop__list_order is a right answer' }).click()
    await one.page.getByRole('button', { name: 'Save with its right answer' }).click()
    await two.page.locator('.saved-list').getByText('list orders').waitFor()
    expect([...one.problems, ...two.problems]).toEqual([])
    await other.close()
    await one.page.context().close()
  })

  it('the gateway goes away and comes back: the page says so, and then has what is new', async () => {
    const { page } = await visit(browser, inspector.page)
    const lamp = page.locator('.lamp')
    await lamp.getByText('Live').waitFor()
    const restarted = inspector.restart()
    await lamp.getByText('Connection lost').waitFor()
    await restarted
    await page
      .getByRole('button', { name: 'Retry now' })
      .click({ timeout: 2_000 })
      .catch(() => {})
    await lamp.getByText('Live').waitFor({ timeout: 15_000 })
    await page
      .locator('.server-item')
      .getByText(/Ready|Idle/)
      .waitFor()
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await page.context().close()
  }, 40_000)
})
