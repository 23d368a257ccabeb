// Takes screenshots of every view for the documentation: npm run screenshots
import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { buildPage } from '../tests/build-page.ts'
import { launchChromium } from '../tests/chromium.ts'
import { demoActivity, demoQueries } from './demo-activity.ts'
import { shrinkPng } from './shrink-png.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const folder = process.argv[2] ?? here('../../../docs/screenshots')

const views = {
  overview: '#/',
  catalogue: '#/catalogue?query=refund+a+payment&tool=company__payments__refund_payment',
  'search-lab': '#/search?query=give+the+customer+their+money+back',
  compare: '#/search?query=tell+the+team+in+chat&compare=',
  live: '#/live?session=',
  misses: '#/misses',
}

await buildPage()
await mkdir(folder, { recursive: true })
const gateway = spawn(
  process.execPath,
  [
    '--conditions=@toolsearch/source',
    '--import',
    import.meta.resolve('tsx'),
    here('../../../examples/gateway.ts'),
  ],
  { stdio: ['ignore', 'pipe', 'pipe'] },
)
try {
  const url = await new Promise<string>((resolve, reject) => {
    let log = ''
    const read = (chunk: Buffer) => {
      log += chunk
      const [, address] = /at (http:\S+\/mcp)/.exec(log) ?? []
      if (address) resolve(address)
    }
    gateway.stdout.on('data', read)
    gateway.stderr.on('data', read)
    gateway.once('exit', () => reject(new Error(log)))
  })
  await demoActivity(url)
  await take(new URL('/', url).href)
} finally {
  gateway.kill('SIGTERM')
}

async function take(origin: string): Promise<void> {
  const ask = async (path: string, init?: RequestInit) =>
    (await (await fetch(`${origin}api/${path}`, init)).json()) as never
  for (const query of demoQueries) {
    const headers = { 'content-type': 'application/json' }
    await ask('saved', { method: 'POST', headers, body: JSON.stringify(query) })
  }
  const { rankers } = (await ask('overview')) as { rankers: { id: string; isServing: boolean }[] }
  const { sessions } = (await ask('activity')) as { sessions: { id: string; client: string }[] }
  const other = rankers.find(({ isServing }) => !isServing)?.id ?? ''
  const session = sessions.find(({ client }) => client === 'support-agent')?.id ?? ''
  const addresses = {
    ...views,
    compare: views.compare + other,
    live: views.live + encodeURIComponent(session),
  }

  const browser = await launchChromium()
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme })
    for (const [view, hash] of Object.entries(addresses)) {
      await settle(page, origin + hash)
      await write(page, `${view}-${colorScheme}`)
    }
  }
  const phone = await browser.newPage({ viewport: { width: 360, height: 740 } })
  await settle(phone, `${origin}${views['search-lab']}`)
  await write(phone, 'search-lab-phone')
  await browser.close()
}

async function settle(page: Page, address: string): Promise<void> {
  await page.goto('about:blank')
  await page.goto(address)
  await page.locator('h1').waitFor()
  await page.waitForFunction(() => document.querySelector('.pulse') === null)
  await page.locator('.connection[data-is=open]').waitFor()
  await page.waitForTimeout(300)
}

async function write(page: Page, name: string): Promise<void> {
  const path = `${folder}/${name}.png`
  const picture = shrinkPng(await page.screenshot())
  await writeFile(path, picture)
  console.log(`${name}.png ${Math.round(picture.length / 1000)} kB`)
}
