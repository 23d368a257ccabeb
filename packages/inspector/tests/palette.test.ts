import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Inspector, startInspector, type Visit, visit } from './inspector.fixtures.ts'
import { openBrowser, type TestBrowser } from './open-browser.ts'

describe('the keyboard', () => {
  let inspector: Inspector
  let browser: TestBrowser
  let visited: Visit
  let page: Page

  beforeAll(async () => {
    ;[inspector, browser] = await Promise.all([startInspector(), openBrowser()])
    visited = await visit(await browser.newPage(), inspector.page)
    page = visited.page
    await page.locator('.treemap').waitFor()
  })
  afterAll(async () => {
    await Promise.all([browser?.close(), inspector?.end()])
  })
  beforeEach(() => () => expect(visited.problems).toEqual([]))

  const palette = () => page.getByRole('dialog', { name: 'Command palette' })
  const selected = () => palette().locator('[aria-selected=true]')

  it('Ctrl-K opens a tool by a few of its letters, without the mouse', async () => {
    await page.keyboard.press('Control+k')
    await palette().waitFor()
    await page.keyboard.type('shopupcus')
    await selected().getByText('shop__update_customer').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 2, name: 'shop__update_customer' }).waitFor()
    expect(await palette().count()).toBe(0)
  })

  it('Ctrl-K opens views, servers and actions', async () => {
    for (const [typed, expected] of [
      ['misses', '#/misses'],
      ['shop', '#/catalogue?server=shop'],
      ['sample session', '#/live?sample=1'],
    ] as const) {
      await page.keyboard.press('Control+k')
      await page.keyboard.type(typed)
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.hash === expected)
    }
    await page.keyboard.press('Control+k')
    await page.keyboard.type('disable shop')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Write the file' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('the arrow keys move through the palette, and Escape closes it and restores the focus', async () => {
    await page.goto(`${inspector.page}#/search`)
    await page.locator('#query:focus').waitFor()
    await page.keyboard.press('Control+k')
    const first = await selected().innerText()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => selected().innerText()).not.toBe(first)
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => selected().innerText()).toBe(first)
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => selected().innerText()).not.toBe(first)
    await page.keyboard.press('Escape')
    await page.locator('#query:focus').waitFor()
  })

  it('the search lab starts in the query, and / returns to it', async () => {
    await page.goto(`${inspector.page}#/`)
    await page.goto(`${inspector.page}#/search`)
    await page.locator('#query:focus').waitFor()
    await page.getByRole('link', { name: 'Overview' }).focus()
    await page.keyboard.press('/')
    await page.locator('#query:focus').waitFor()
    expect(await page.locator('#query').inputValue()).toBe('')
    await page.keyboard.type('a/b')
    expect(await page.locator('#query').inputValue()).toBe('a/b')
  })

  it('/ opens the search lab from a view without a search field', async () => {
    await page.goto(`${inspector.page}#/live`)
    await page.getByRole('heading', { level: 1, name: 'Live' }).waitFor()
    await page.keyboard.press('/')
    await page.locator('#query:focus').waitFor()
  })
})
