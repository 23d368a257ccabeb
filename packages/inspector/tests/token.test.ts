import { expect, it } from 'vitest'
import { startInspector, visit } from './inspector.fixtures.ts'
import { openBrowser } from './open-browser.ts'

it('asks for the token, rejects a wrong one, and keeps the right one until the tab is closed', async () => {
  const [inspector, browser] = await Promise.all([
    startInspector({ token: 'open-sesame' }),
    openBrowser(),
  ])
  try {
    const { page, problems } = await visit(await browser.newPage(), `${inspector.page}#/catalogue`)
    const field = page.getByLabel('Token', { exact: true })
    await page.getByRole('heading', { name: 'This gateway requires a token' }).waitFor()
    expect(await field.evaluate((box) => box === document.activeElement)).toBe(true)
    await field.fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Wrong token.').waitFor()
    await field.fill('open-sesame')
    await page.keyboard.press('Enter')
    await page.getByText('12 tools').waitFor()
    await page.locator('.connection').getByText('Live').waitFor()
    await page.reload()
    await page.getByText('12 tools').waitFor()
    expect(await page.evaluate(() => localStorage.length)).toBe(1)
    expect(problems.filter((problem) => !problem.includes('401'))).toEqual([])
    const another = await visit(await browser.newPage(), inspector.page)
    await another.page.getByRole('heading', { name: 'This gateway requires a token' }).waitFor()
  } finally {
    await Promise.all([browser.close(), inspector.end()])
  }
})
