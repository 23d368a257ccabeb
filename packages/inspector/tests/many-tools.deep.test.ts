import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Inspector, startInspector, type Visit, visit } from './inspector.fixtures.ts'
import { openBrowser, type TestBrowser } from './open-browser.ts'

describe('3,000 tools', () => {
  let inspector: Inspector
  let browser: TestBrowser
  let visited: Visit
  let page: Page

  beforeAll(async () => {
    ;[inspector, browser] = await Promise.all([startInspector({ tools: 3_000 }), openBrowser()])
    visited = await visit(await browser.newPage(), `${inspector.page}#/catalogue`)
    page = visited.page
  })
  afterAll(async () => {
    await Promise.all([browser?.close(), inspector?.end()])
  })

  it('are all in the list, but only the visible ones are rendered', async () => {
    await page.getByText('3,000 tools').waitFor()
    const list = page.getByRole('listbox')
    const rows = page.locator('.row')
    expect(await rows.count()).toBeLessThan(100)
    const names = new Set<string>()
    for (const share of [0.25, 0.5, 0.75, 1]) {
      await list.evaluate((box, at) => {
        box.scrollTop = at * box.scrollHeight
      }, share)
      await page.waitForFunction((at) => {
        const rows = [...document.querySelectorAll('.row')]
        return rows.some((row) => Number(row.getAttribute('aria-posinset')) >= at * 2900)
      }, share)
      expect(await rows.count()).toBeLessThan(100)
      names.add(await rows.last().innerText())
    }
    expect(names.size).toBe(4)
    expect(await rows.last().getAttribute('aria-posinset')).toBe('3000')
    expect(await rows.last().getAttribute('aria-setsize')).toBe('3000')

    await list.focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('End')
    await page.keyboard.press('PageUp')
    await page.keyboard.press('Enter')
    await page.locator('article h2').waitFor()
    const active = await list.getAttribute('aria-activedescendant')
    expect(await page.locator(`[id="${active}"]`).getAttribute('aria-selected')).toBe('true')
    expect(visited.problems).toEqual([])
  })

  it('can be filtered, and the treemap combines the small ones', async () => {
    await page.goto(`${inspector.page}#/`)
    await page.locator('.treemap-tool').first().waitFor()
    expect(await page.locator('.treemap-tool').count()).toBeLessThan(2_500)
    await page.getByRole('link', { name: 'Catalogue' }).click()
    await page.getByLabel('Filter by search').fill('approve the refund')
    await page.locator('.row').first().filter({ hasText: 'approve_refund' }).waitFor()
    expect(visited.problems).toEqual([])
  })
})
