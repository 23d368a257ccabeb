import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Inspector, startInspector, visit } from './inspector.fixtures.ts'
import { openBrowser, type TestBrowser } from './open-browser.ts'

let inspector: Inspector
let browser: TestBrowser
beforeAll(async () => {
  const settings = { mode: 'search', learning: 'shared' }
  ;[inspector, browser] = await Promise.all([startInspector({ settings }), openBrowser()])
})
afterAll(async () => {
  await Promise.all([browser?.close(), inspector?.end()])
})

it('shows which requests led to a tool and whether searches use them, and forgets them after a confirmation', async () => {
  const agent = await inspector.agent()
  for (const words of ['parcels of yesterday', 'purchases so far']) {
    await agent.search(words)
    await agent.search('select:shop__list_order')
    await agent.call('shop__list_order', { id: '7' })
  }
  await agent.close()
  const tool = `${inspector.page}#/catalogue?tool=shop__list_order`
  const { page, problems } = await visit(await browser.newPage(), tool)
  const entries = page.getByRole('listitem').filter({ hasText: '1 person' })
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const confirm = () => page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click()
  await page.getByRole('heading', { name: 'Learned from use' }).waitFor()
  expect(await entries.count()).toBe(2)

  await page.getByText('Searches with similar words find this tool.').waitFor()
  await configure({ learning: 'off' })
  await page.getByText('Learning is off').waitFor()
  expect(await entries.count()).toBe(2)
  await configure({ learning: 'shared' })
  await page.getByText('Searches with similar words find this tool.').waitFor()

  await press('Forget… parcels of yesterday')
  await press('Cancel')
  expect(await entries.count()).toBe(2)
  await press('Forget… parcels of yesterday')
  await confirm()
  await expect.poll(() => entries.allInnerTexts()).toHaveLength(1)
  expect(await entries.innerText()).toContain('purchases so far')

  await press('Forget all…')
  await confirm()
  await page.getByRole('heading', { name: 'Learned from use' }).waitFor({ state: 'hidden' })
  expect(problems).toEqual([])
})

async function configure(settings: object): Promise<void> {
  const config = JSON.parse(await readFile(inspector.configFile, 'utf8'))
  config.toolsearch = { ...config.toolsearch, ...settings }
  await writeFile(inspector.configFile, JSON.stringify(config))
}
