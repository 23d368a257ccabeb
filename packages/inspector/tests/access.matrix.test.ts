import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isDeep } from '../../../testing/deep.ts'
import { type Inspector, startInspector, type Visit, visit } from './inspector.fixtures.ts'
import { openBrowser, type TestBrowser } from './open-browser.ts'

const hashes = [
  '#/',
  '#/catalogue?query=order&tool=shop__list_order',
  '#/search?query=list+the+orders&tool=shop__delete_order',
  '#/search?query=list+the+orders&compare=bm25',
  '#/live',
  '#/live?sample=1',
  '#/history',
  '#/history?since=1h&kind=miss',
  '#/misses',
  '#/misses?sample=1',
  '#/catalogue?effect=destructive&sort=tokens',
  '#/catalogue?state=hidden',
]

const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 360, height: 740 }

describe('accessibility', () => {
  let inspector: Inspector
  let browser: TestBrowser
  let visited: Visit
  let page: Page

  beforeAll(async () => {
    ;[inspector, browser] = await Promise.all([startInspector(), openBrowser()])
    const agent = await inspector.agent()
    await agent.search('list the orders')
    await agent.call('shop__list_order', { id: '7' })
    await agent.search('fly me to the moon')
    await agent.close()
    await inspector.rewordShop('Lists all orders.')
    visited = await visit(await browser.newPage(), inspector.page)
    page = visited.page
  })
  afterAll(async () => {
    await Promise.all([browser?.close(), inspector?.end()])
  })

  describe('of everything on the page', () => {
    const settle = async (hash: string) => {
      const [view] = hash.split('?')
      while (await page.locator('dialog[open]').isVisible()) await page.keyboard.press('Escape')
      await page.goto(`${inspector.page}${hash}`)
      await page.locator(`a[aria-current=page][href="${view}"]`).waitFor()
      await isLoaded()
    }
    const isLoaded = () => page.waitForFunction(() => document.querySelector('.pulse') === null)

    /** Colors are all that differs in dark mode. */
    const violations = async () => {
      if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
      await page.emulateMedia({ colorScheme: 'light' })
      const light = await violationsOf(page)
      await page.emulateMedia({ colorScheme: 'dark' })
      const dark = await violationsOf(page, { runOnly: ['color-contrast', 'link-in-text-block'] })
      return [...light, ...dark.map((each) => `in dark mode, ${each}`)]
    }

    // Each view once. The deep tests also check the states that share most of a view.
    it.each(isDeep ? hashes : hashes.filter((hash) => !hash.includes('?')))(
      '%s has no axe violations, light or dark, and fits the width of a phone',
      async (hash) => {
        await page.setViewportSize(DESKTOP)
        await settle(hash)
        expect(await violations()).toEqual([])
        await page.setViewportSize(PHONE)
        const width = await page.evaluate(() => document.documentElement.scrollWidth)
        expect(width).toBeLessThanOrEqual(PHONE.width)
        expect(visited.problems).toEqual([])
      },
    )

    const dialogs = [
      ['#/', 'Open the command palette Ctrl K'],
      ['#/catalogue?tool=shop__update_customer', 'Call…'],
    ] as const
    const moreDialogs = [
      ['#/', 'Disable… shop'],
      ['#/catalogue?tool=shop__update_customer', 'Pin…'],
      ['#/catalogue?tool=shop__update_customer', 'Add search hint…'],
      ['#/catalogue?tool=shop__update_customer', 'Override…'],
    ] as const
    it.each(isDeep ? [...dialogs, ...moreDialogs] : dialogs)(
      '%s has a dialog without axe violations, light or dark: %s',
      async (hash, button) => {
        await page.setViewportSize(DESKTOP)
        await settle(hash)
        await page.getByRole('button', { name: button, exact: true }).click()
        await page.locator('dialog[open]').waitFor()
        await isLoaded()
        expect(await violations()).toEqual([])
      },
    )
  })

  it('can be used with the keyboard alone', async () => {
    await page.setViewportSize(DESKTOP)
    await page.goto(`${inspector.page}#/`)
    await page.reload()
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')
    await page.locator('.treemap').waitFor()
    await press('Tab')
    expect(await focused()).toBe('Skip to content')
    await press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
    await press('Tab', 'ArrowRight', 'End', 'Home')
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('treemap-tool')
    await press('Enter')
    await page.locator('article').waitFor()

    await page.getByLabel('Filter by search').focus()
    // Every keystroke searches. Wait for the last answer: earlier ones may still arrive.
    const answered = page.waitForResponse(
      (response) => new URL(response.url()).searchParams.get('query') === 'order',
    )
    await page.keyboard.type('order')
    await answered
    await page.locator('.rows-frame[aria-busy=false]').waitFor()
    await press('ArrowDown', 'ArrowDown', 'Enter')
    const chosen = await page.locator('.row[aria-selected=true]').innerText()
    expect(await page.locator('article h2').innerText()).toBe(chosen.split('\n')[0])
    const outline = await page
      .getByRole('listbox')
      .evaluate((box) => getComputedStyle(box).outlineStyle)
    expect(outline).toBe('solid')

    await page.getByRole('link', { name: 'Search lab' }).focus()
    await press('Enter')
    await page.waitForFunction(() => document.activeElement?.id === 'query')
    await page.keyboard.type('delete an order')
    await page.locator('.hit').first().getByRole('link', { name: 'shop__delete_order' }).waitFor()
    expect(visited.problems).toEqual([])
  })

  it('remembers the chosen theme', async () => {
    await page.emulateMedia({ colorScheme: 'light' })
    const background = () =>
      page.evaluate(() => getComputedStyle(document.body.parentElement!).backgroundColor)
    const light = await background()
    const button = page.getByRole('button', { name: /^Theme/ })
    await button.click()
    await button.click()
    const dark = await background()
    expect(dark).not.toBe(light)
    await page.reload()
    await button.waitFor()
    expect(await background()).toBe(dark)
  })
})

async function violationsOf(page: Page, options: axe.RunOptions = {}): Promise<string[]> {
  const { violations } = await page.evaluate(
    (given) =>
      (window as unknown as { axe: typeof axe }).axe.run({
        resultTypes: ['violations'],
        ...given,
      }),
    options,
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}
