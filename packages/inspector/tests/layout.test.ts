import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Inspector, startInspector, visit } from './inspector.fixtures.ts'
import { openBrowser, type TestBrowser } from './open-browser.ts'

describe('the layout', () => {
  let inspector: Inspector
  let browser: TestBrowser
  let page: Page

  beforeAll(async () => {
    ;[inspector, browser] = await Promise.all([
      startInspector({ hasDemoServers: true }),
      openBrowser(),
    ])
    ;({ page } = await visit(await browser.newPage(), inspector.page))
  })
  afterAll(async () => {
    await Promise.all([browser?.close(), inspector?.end()])
  })

  const open = async (hash: string, width: number) => {
    await page.setViewportSize({ width, height: 844 })
    await page.goto(`${inspector.page}${hash}`)
  }
  const sizeOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => {
        const { width, height, left, right } = element.getBoundingClientRect()
        return { width, height, left, right }
      })

  it('writes rank 10 on one line', async () => {
    await open('#/search?query=order', 390)
    await page.locator('.hit .rank').first().waitFor()
    await page
      .locator('.rank')
      .first()
      .evaluate((element) => {
        element.textContent = '10'
      })
    const { height } = await sizeOf('.rank')
    expect(height).toBeLessThan(26)
  })

  it('keeps the stripe of an expected result clear of its rank', async () => {
    await open('#/search?query=list+the+orders', 1280)
    await page.locator('.expected-result').first().click()
    const gap = await page.locator('.hit[data-expected]').evaluate((hit) => {
      const stripe = getComputedStyle(hit, '::before')
      const { left } = hit.getBoundingClientRect()
      const rank = hit.querySelector('.rank')!.getBoundingClientRect().left
      return rank - (left + Number.parseFloat(stripe.left) + Number.parseFloat(stripe.width))
    })
    expect(gap).toBeGreaterThan(8)
  })

  it.each([
    [1440, 1.5],
    [1024, 1.5],
    [390, 1],
  ])(
    'gives the query enough room at %d px, and shows the names of rankers in full',
    async (width, ratio) => {
      await open('#/search?query=list+the+orders&compare=bm25', width)
      await page.locator('.hit').first().waitFor()
      const query = await sizeOf('#query')
      const ranker = await sizeOf('#ranker')
      expect(query.width).toBeGreaterThanOrEqual(ranker.width * ratio)
      const isClipped = await page.locator('#ranker').evaluate((select) => {
        const box = select as HTMLSelectElement
        const copy = document.createElement('span')
        copy.style.font = getComputedStyle(box).font
        copy.style.position = 'absolute'
        copy.textContent = box.selectedOptions[0]?.textContent ?? ''
        document.body.append(copy)
        const isTooNarrow = copy.offsetWidth > box.clientWidth - 24
        copy.remove()
        return isTooNarrow
      })
      expect(isClipped).toBe(false)
    },
  )

  it('compares two rankers on a phone one at a time', async () => {
    await open('#/search?query=list+the+orders&compare=bm25', 390)
    // Long sections are closed when the page is loaded on a phone.
    await page.reload()
    const columns = page.locator('.lab-two .column')
    await columns.first().locator('.hit').first().waitFor()
    expect(await columns.nth(1).isVisible()).toBe(false)
    await page.getByRole('button', { name: 'BM25' }).click()
    expect(await columns.nth(0).isVisible()).toBe(false)
    expect(await columns.nth(1).isVisible()).toBe(true)
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    expect(height).toBeLessThan(3_000)
  })

  it('catalogue: filters and sorts, and keeps both in the URL', async () => {
    await open('#/catalogue', 1280)
    await page.getByText('114 tools').waitFor()
    await page.getByLabel('Server', { exact: true }).selectOption('shop')
    await page.getByText('12 of 114 tools').waitFor()
    await page.getByLabel('Effect').selectOption('read')
    await page.getByLabel('Order').selectOption('tokens')
    await page.waitForURL(/server=shop&effect=read&sort=tokens/)
    const tokens = (await page.locator('.row-tokens').allInnerTexts()).map(Number.parseFloat)
    expect(tokens.length).toBeGreaterThan(1)
    expect(tokens).toEqual(tokens.toSorted((a, b) => b - a))
    await page.reload()
    await expect.poll(() => page.locator('.row').count()).toBe(tokens.length)
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByText('114 tools', { exact: true }).waitFor()
  })

  it('similar names are links', async () => {
    await open('#/search', 1280)
    await page.route('**/api/search?*', async (route) => {
      const report = await (await route.fetch()).json()
      await route.fulfill({ json: { ...report, hits: [], closest: ['shop__list_order'] } })
    })
    await page.getByLabel('Query', { exact: true }).fill('select:shop__list_ordr')
    await page.getByRole('link', { name: 'shop__list_order', exact: true }).first().click()
    await page.getByRole('heading', { level: 2, name: 'shop__list_order' }).waitFor()
  })
})
