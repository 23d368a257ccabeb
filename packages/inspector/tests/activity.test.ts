import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Inspector, startInspector, type Visit, visit } from './inspector.fixtures.ts'
import { openBrowser, type TestBrowser } from './open-browser.ts'

describe('activity', () => {
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
  beforeEach(() => () => expect(visited.problems).toEqual([]))

  const go = (hash: string) => page.goto(`${inspector.page}${hash}`)
  const events = () => page.locator('.event')

  it.each(['live', 'history', 'misses'])(
    '%s: before the first search it says what will appear, and shows a sample',
    async (view) => {
      await go(`#/${view}`)
      const empty = page.getByRole('region', { name: /^No (agents|searches)/ })
      await empty.getByText('"mcpServers"').waitFor()
      await empty.getByRole('button', { name: 'Copy the client configuration' }).waitFor()
      await empty.getByRole('link', { name: 'Show a sample session' }).click()
      const note = page.getByRole('note')
      await note.getByText('Sample data.').waitFor()
      await page.locator('.event, .missed li').first().waitFor()
      await note.getByRole('link', { name: 'Hide the sample' }).click()
      await empty.waitFor()
    },
  )

  describe('of agents', () => {
    beforeAll(async () => {
      const agent = await inspector.agent('first-agent')
      await agent.search('list the orders')
      await agent.call('shop__list_order', { id: 'error' })
      await agent.search('fly me to the moon')
      await agent.search('fly me to the moon please')
      await agent.close()
      const other = await inspector.agent('second-agent')
      await other.call('shop__export_order', { id: '7' })
      await other.close()
    })

    it('live: filters by kind, server and client, and keeps the filters in the URL', async () => {
      await go('#/live')
      await events().nth(4).waitFor()
      await page.getByLabel('Kind').selectOption('errors')
      await expect.poll(() => events().count()).toBe(3)
      await page.getByLabel('Server', { exact: true }).selectOption('shop')
      await expect.poll(() => events().count()).toBe(1)
      await page.waitForURL(/#\/live\?kind=errors&server=shop$/)
      await go('#/live?client=second-agent')
      await expect.poll(() => events().count()).toBe(1)
      expect(await events().innerText()).toContain('shop__export_order')
    })

    it('live: only the error turns red, not the client', async () => {
      await go('#/live?kind=errors&server=shop')
      const colour = (selector: string) =>
        events()
          .locator(selector)
          .evaluate((element) => getComputedStyle(element).color)
      await events().getByText('There is no such order.').waitFor()
      expect(await events().locator('.event-client').innerText()).toBe('first-agent')
      expect(await colour('.event-client')).not.toBe(await colour('.event-outcome'))
    })

    it('live: shows what happens while the page loads', async () => {
      const agent = await inspector.agent('early-agent')
      await page.route(
        '**/api/activity',
        async (route) => {
          const response = await route.fetch()
          await agent.search('list the orders of yesterday')
          await route.fulfill({ response })
        },
        { times: 1 },
      )
      await page.goto('about:blank')
      await go('#/live')
      await events().getByText('list the orders of yesterday').waitFor()
      await agent.close()
    })

    it('live: a pause keeps the list still, and counts what is new', async () => {
      await go('#/live')
      await events().first().waitFor()
      const before = await events().count()
      await page.getByRole('button', { name: 'Pause' }).click()
      const agent = await inspector.agent('third-agent')
      await agent.search('list the invoices')
      await page.getByText('1 new').waitFor()
      expect(await events().count()).toBe(before)
      await page.getByRole('button', { name: 'Resume' }).click()
      await expect.poll(() => events().count()).toBe(before + 1)
      await agent.close()
    })

    it('live: shows a call in progress and how long it runs', async () => {
      await go('#/live')
      const agent = await inspector.agent('slow-agent')
      const call = agent.call('shop__list_order', { id: 'slow' }).catch(() => {})
      const running = page.getByRole('region', { name: 'In progress' })
      await running.getByText('shop__list_order').waitFor()
      const elapsed = running.locator('.elapsed')
      const first = await elapsed.innerText()
      await expect.poll(() => elapsed.innerText()).not.toBe(first)
      await agent.close()
      await call
    })

    it('live: draws a timeline, and changes its period', async () => {
      await go('#/live')
      await page.getByRole('img', { name: /^Activity over time: \d+ searches/ }).waitFor()
      expect(await page.locator('.timeline-bar span').count()).toBeGreaterThan(0)
      await page.getByRole('button', { name: 'Week' }).click()
      await page.waitForURL(/since=7d/)
      await page.getByRole('img', { name: /^Activity over time: \d+ searches/ }).waitFor()
    })

    it('history: finds what was searched for last week, also after a restart', async () => {
      await go('#/history')
      expect(await page.getByRole('button', { name: 'Week' }).getAttribute('aria-pressed')).toBe(
        'true',
      )
      await events().filter({ hasText: 'fly me to the moon' }).first().waitFor()
      await page.getByLabel('Text').fill('no such order')
      await expect
        .poll(async () => (await events().allInnerTexts()).join('\n'))
        .not.toContain('moon')
      await page.getByLabel('Kind').selectOption('error')
      await expect.poll(() => events().count()).toBe(1)
      await page.waitForURL(/#\/history\?.*text=no\+such\+order/)
      await inspector.restart()
      await page.goto('about:blank')
      await go('#/history?kind=miss')
      await events().filter({ hasText: 'fly me to the moon' }).first().waitFor()
      // The page reported the lost connection during the restart.
      visited.problems.splice(0)
    })

    it('misses: puts similar queries together', async () => {
      await go('#/misses')
      const group = page.locator('.missed > li').filter({ hasText: 'fly me to the moon' })
      await group.first().waitFor()
      expect(await group.count()).toBe(1)
      expect(await group.locator('.times').innerText()).toMatch(/2/)
      await group.getByText('1 similar query').waitFor()
    })
  })
})
