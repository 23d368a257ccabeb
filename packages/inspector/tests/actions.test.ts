import { readFile, writeFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Inspector, startInspector, type Visit, visit } from './inspector.fixtures.ts'
import { openBrowser, type TestBrowser } from './open-browser.ts'

describe('acting', () => {
  let inspector: Inspector
  let browser: TestBrowser
  let visited: Visit
  let page: Page

  beforeAll(async () => {
    ;[inspector, browser] = await Promise.all([startInspector(), openBrowser()])
    const { mcpServers, ...rest } = JSON.parse(await readFile(inspector.configFile, 'utf8'))
    const text = JSON.stringify({ mcpServers, ...rest }, null, 2)
    await writeFile(inspector.configFile, `// my own comment\n${text}\n`)
    visited = await visit(await browser.newPage(), inspector.page)
    page = visited.page
  })
  afterAll(async () => {
    await Promise.all([browser?.close(), inspector?.end()])
  })
  beforeEach(() => () => expect(visited.problems).toEqual([]))

  const config = () => readFile(inspector.configFile, 'utf8')
  const dialog = () => page.getByRole('dialog')
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const openTool = async (name: string) => {
    while (await dialog().isVisible()) await page.keyboard.press('Escape')
    await page.goto(`${inspector.page}#/catalogue?tool=${name}`)
    await page.getByRole('heading', { level: 2, name }).waitFor()
  }

  describe('calling a tool', () => {
    const call = async (id: string) => {
      await openTool('shop__list_order')
      await press('Call…')
      await dialog().getByLabel('id required').fill(id)
      await dialog().getByRole('button', { name: 'Call', exact: true }).click()
    }
    const result = () => dialog().getByRole('region', { name: 'Result' })

    it('shows a table for rows, and text for text', async () => {
      await call('table')
      await result().getByRole('columnheader', { name: 'city' }).waitFor()
      expect(await result().getByRole('row').allInnerTexts()).toEqual([
        'id\tcity',
        '1\tOslo',
        '2\tRome',
      ])
      await call('7')
      await result().getByText('list_order: done').waitFor()
    })

    it('shows a picture as a picture, and a link as a link', async () => {
      await call('image')
      const image = result().getByRole('img')
      await image.waitFor()
      await expect
        .poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth))
        .toBe(1)
      await call('link')
      const link = result().getByRole('link', { name: 'order 7' })
      expect(await link.getAttribute('rel')).toContain('noopener')
    })

    it('says that the tool failed', async () => {
      await call('error')
      await result().getByText('The call failed').waitFor()
      await result().getByText('There is no such order.').waitFor()
    })

    it('shows how long a call runs, and cancels it', async () => {
      await call('slow')
      await dialog()
        .getByText(/Running for \d/)
        .waitFor()
      await press('Cancel the call')
      await dialog().getByRole('alert').getByText('Cancelled.').waitFor()
    })

    it('asks for missing arguments, and fills in defaults', async () => {
      await openTool('shop__update_customer')
      await press('Call…')
      expect(await dialog().getByLabel('amount').inputValue()).toBe('2')
      await dialog().locator('button[type=submit]').click()
      await dialog().getByText('This field is required.').waitFor()
      expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe(
        'true',
      )
    })

    it('sends what the form says, after a confirmation for tools that write', async () => {
      await openTool('shop__update_customer')
      await press('Call…')
      const form = dialog()
      await form.getByLabel('id required').fill('echo')
      await form.getByLabel('urgent').selectOption('true')
      await form.getByLabel('color').selectOption({ label: 'green' })
      await press('Add tags')
      await form.getByLabel('tags 1', { exact: true }).fill('vip')
      await form.getByLabel('city required').fill('Oslo')
      await form.getByLabel('target').fill('{"to": 1}')
      await form.locator('button[type=submit]').click()
      await dialog().getByRole('heading', { name: 'Call shop__update_customer?' }).waitFor()
      await press('Call it')
      const text = await result().locator('pre').innerText()
      expect(JSON.parse(text)).toEqual({
        id: 'echo',
        amount: 2,
        urgent: true,
        color: 'green',
        tags: ['vip'],
        address: { city: 'Oslo' },
        target: { to: 1 },
      })
    })

    it('switches between the form and JSON without losing anything', async () => {
      await openTool('shop__update_customer')
      await press('Call…')
      await dialog().getByLabel('id required').fill('7')
      await press('JSON')
      const json = dialog().getByLabel('Arguments')
      expect(JSON.parse(await json.inputValue())).toEqual({ id: '7', amount: 2 })
      await json.fill('{"id": "8", "color": "red"}')
      await press('Form')
      expect(await dialog().getByLabel('id required').inputValue()).toBe('8')
      expect(await dialog().getByLabel('color').inputValue()).toBe('"red"')
      await press('JSON')
      await json.fill('{')
      await dialog().locator('button[type=submit]').click()
      await dialog()
        .getByText(/This is not valid JSON/)
        .waitFor()
    })
  })

  describe('editing the configuration', () => {
    it('shows the difference before it pins a tool, and takes it back', async () => {
      const before = await config()
      await openTool('shop__list_order')
      await press('Pin…')
      await dialog().locator('ins').first().waitFor()
      expect(await dialog().locator('ins').allInnerTexts()).toEqual(
        expect.arrayContaining([expect.stringContaining('list_order')]),
      )
      expect(await config()).toBe(before)
      await press('Write the file')
      await page.getByRole('button', { name: 'Unpin…' }).waitFor()
      const after = await config()
      expect(after).toContain('// my own comment')
      expect(after).toContain('list_order')
      await press('Undo')
      await page
        .getByRole('status')
        .getByText(/^Undone/)
        .waitFor()
      await page.getByRole('button', { name: 'Pin…', exact: true }).waitFor()
      expect(await config()).toBe(before)
    })

    it('denies a tool, lists it as hidden, and allows it again', async () => {
      await openTool('shop__delete_order')
      await press('Deny…')
      await press('Write the file')
      await page
        .getByRole('status')
        .getByText(/Deny.*done/)
        .waitFor()
      await page.goto(`${inspector.page}#/catalogue?state=hidden`)
      await page.getByRole('button', { name: 'Allow… delete_order' }).click()
      await press('Write the file')
      await page.getByText('No hidden tools').waitFor()
      // The open page asked for the tool while it was hidden.
      visited.problems.splice(0)
    })

    it('sets a search hint that searches use', async () => {
      await openTool('shop__archive_order')
      await press('Add search hint…')
      await dialog().getByLabel('Search hint').fill('mothball')
      await press('Review the change…')
      await press('Write the file')
      await page.getByRole('button', { name: 'Edit search hint…' }).waitFor()
      await page.goto(`${inspector.page}#/search?query=mothball`)
      await page
        .locator('.hit')
        .first()
        .getByRole('link', { name: 'shop__archive_order' })
        .waitFor()
    })

    it('overrides a description', async () => {
      await openTool('shop__approve_order')
      await press('Override…')
      await dialog().getByLabel('Description').fill('Sign off an order.')
      await press('Review the change…')
      await press('Write the file')
      await page.locator('article').getByText('Sign off an order.').first().waitFor()
      expect(await config()).toContain('Sign off an order.')
    })

    it('disables a server, and enables it again', async () => {
      await page.goto(`${inspector.page}#/`)
      await press('Disable… shop')
      await press('Write the file')
      await page.getByRole('button', { name: 'Enable… shop' }).click()
      await press('Write the file')
      await page
        .locator('.server-item')
        .getByText(/Ready|Idle/)
        .waitFor()
    })

    it('restarts a server', async () => {
      await page.goto(`${inspector.page}#/`)
      await press('Restart shop')
      await page.getByRole('status').getByText('Restarted shop.').waitFor()
    })

    it('says why an edit failed', async () => {
      await openTool('shop__list_order')
      await page.route('**/api/config?dry=1', (route) =>
        route.fulfill({ status: 409, json: { error: 'The file changed in the meantime.' } }),
      )
      await press('Pin…')
      await dialog().getByRole('alert').getByText('The file changed in the meantime.').waitFor()
      await page.unroute('**/api/config?dry=1')
      visited.problems.splice(0)
    })
  })
})
