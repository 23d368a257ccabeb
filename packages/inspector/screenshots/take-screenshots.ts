// Takes screenshots of every view: npm run docs -- screenshots
import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { buildPage } from '../tests/build-page.ts'
import { launchChromium } from '../tests/chromium.ts'
import { demoActivity, demoQueries } from './demo-activity.ts'
import { shrinkPng } from './shrink-png.ts'

const HELP = `Take screenshots of the inspector in front of the demo servers.

  npm run docs -- screenshots [--all FOLDER]

  --all FOLDER  every view and dialog at 1440, 1024 and 390 pixels in both colour schemes,
                instead of the ones in docs/screenshots
  --help        print this text`

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** A view, and what to do before the picture is taken. */
interface Shot {
  readonly hash: string
  readonly prepare?: (page: Page) => Promise<void>
}

const press = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click()
  await page.locator('dialog[open]').waitFor()
}

const { values: options } = parseArgs({
  options: { all: { type: 'string' }, help: { type: 'boolean', default: false } },
})
async function run(): Promise<void> {
  await buildPage()
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
    const url = await new Promise<string>((found, reject) => {
      let log = ''
      const read = (chunk: Buffer) => {
        log += chunk
        const [, address] = /at (http:\S+\/mcp)/.exec(log) ?? []
        if (address) found(address)
      }
      gateway.stdout.on('data', read)
      gateway.stderr.on('data', read)
      gateway.once('exit', () => reject(new Error(log)))
    })
    await take(url)
  } finally {
    gateway.kill('SIGTERM')
  }
}

async function take(url: string): Promise<void> {
  const origin = new URL('/', url).href
  const ask = async (path: string, init?: RequestInit) =>
    (await (await fetch(`${origin}api/${path}`, init)).json()) as never
  const browser = await launchChromium()
  const everywhere = {
    widths: [1440, 1024, 390],
    schemes: ['light', 'dark'],
    folder: resolve(process.env.INIT_CWD ?? '.', options.all ?? ''),
  } as const
  // Before the first agent, the views of activity are empty.
  if (options.all !== undefined) await takeAll(emptyViews, everywhere)
  await demoActivity(url)
  for (const query of demoQueries) {
    const headers = { 'content-type': 'application/json' }
    await ask('saved', { method: 'POST', headers, body: JSON.stringify(query) })
  }
  const { sessions } = (await ask('activity')) as { sessions: { id: string; client: string }[] }
  const session = sessions.find(({ client }) => client === 'support-agent')?.id ?? ''
  const shots = shotsOf(encodeURIComponent(session))
  if (options.all !== undefined) await takeAll({ ...shots, ...dialogs }, everywhere)
  else {
    const folder = here('../../../docs/screenshots')
    const { 'catalogue-filters': _, 'live-all': __, ...views } = shots
    const docs = { ...views, call: dialogs.call, palette: dialogs.palette }
    await takeAll(docs, { widths: [1280], schemes: ['light', 'dark'], folder })
    const phone = { 'search-lab-phone': shots['search-lab'] }
    await takeAll(phone, { widths: [390], schemes: ['light'], folder })
  }
  await browser.close()

  async function takeAll(
    views: Readonly<Record<string, Shot>>,
    where: {
      readonly widths: readonly number[]
      readonly schemes: readonly ('light' | 'dark')[]
      readonly folder: string
    },
  ): Promise<void> {
    await mkdir(where.folder, { recursive: true })
    for (const width of where.widths) {
      for (const colorScheme of where.schemes) {
        const viewport = { width, height: width < 500 ? 844 : 800 }
        const page = await browser.newPage({ viewport, colorScheme })
        for (const [view, { hash, prepare }] of Object.entries(views)) {
          await settle(page, origin + hash)
          await prepare?.(page)
          await page.waitForTimeout(300)
          const size = where.widths.length > 1 ? `-${width}` : ''
          const scheme = where.schemes.length > 1 ? `-${colorScheme}` : ''
          const picture = await page.screenshot({
            fullPage: options.all !== undefined && !prepare,
          })
          await write(`${where.folder}/${view}${size}${scheme}.png`, picture)
        }
        await page.close()
      }
    }
  }
}

const emptyViews: Readonly<Record<string, Shot>> = {
  'live-empty': { hash: '#/live' },
  'history-empty': { hash: '#/history' },
  'misses-empty': { hash: '#/misses' },
  'live-sample': { hash: '#/live?sample=1' },
  'history-sample': { hash: '#/history?sample=1' },
  'misses-sample': { hash: '#/misses?sample=1' },
  'search-empty': { hash: '#/search' },
}

const refund = '#/catalogue?query=refund+a+payment&tool=company__payments__refund_payment'

const shotsOf = (session: string) =>
  ({
    overview: { hash: '#/' },
    catalogue: { hash: refund },
    'catalogue-filters': { hash: '#/catalogue?effect=destructive&sort=tokens' },
    'search-lab': { hash: '#/search?query=give+the+customer+their+money+back' },
    compare: { hash: '#/search?query=tell+the+team+in+chat&compare=bm25' },
    live: { hash: `#/live?session=${session}` },
    'live-all': { hash: '#/live' },
    history: { hash: '#/history?since=1h' },
    misses: { hash: '#/misses' },
  }) satisfies Record<string, Shot>

const dialogs = {
  call: { hash: refund, prepare: press('Call…') },
  result: {
    hash: '#/catalogue?tool=everything__get-tiny-image',
    prepare: async (page: Page) => {
      await press('Call…')(page)
      await page.locator('dialog button[type=submit]').click()
      const confirm = page.getByRole('button', { name: 'Call it' })
      const result = page.getByRole('region', { name: 'Result' })
      await confirm.or(result).first().waitFor()
      if (await confirm.isVisible()) await confirm.click()
      await result.waitFor()
    },
  },
  edit: { hash: refund, prepare: press('Deny…') },
  override: { hash: refund, prepare: press('Override…') },
  palette: {
    hash: '#/',
    prepare: async (page: Page) => {
      await page.keyboard.press('Control+k')
      await page.keyboard.type('refund')
    },
  },
} satisfies Record<string, Shot>

async function settle(page: Page, address: string): Promise<void> {
  await page.goto('about:blank')
  await page.goto(address)
  await page.locator('h1').waitFor()
  await page.waitForFunction(() => document.querySelector('.pulse') === null)
  await page.locator('.connection[data-is=open]').waitFor()
}

async function write(path: string, picture: Buffer): Promise<void> {
  const shrunk = shrinkPng(picture)
  await writeFile(path, shrunk)
  console.log(`${path} ${Math.round(shrunk.length / 1000)} kB`)
}

if (options.help) console.log(HELP)
else await run()
