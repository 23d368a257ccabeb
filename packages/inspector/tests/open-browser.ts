import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchChromium } from './chromium.ts'

/** A browser as tests see it. */
export interface TestBrowser {
  /** Opens a page. All pages have cookies in common. */
  newPage(): Promise<Page>
  /** Opens a page that has nothing in common with others, which takes several times the CPU time. */
  newPageOfStranger(): Promise<Page>
  /** Closes its pages. */
  close(): Promise<void>
}

/** End with the process, because several test files share them. */
let launching: Promise<Browser> | undefined
let sharing: Promise<BrowserContext> | undefined

/** Opens a browser. All test files of a process share one Chromium, which takes a second to start. */
export async function openBrowser(): Promise<TestBrowser> {
  launching ??= launchChromium()
  const chromium = await launching
  sharing ??= newContext(chromium)
  const shared = await sharing
  const opened: (Page | BrowserContext)[] = []
  return {
    async newPage() {
      const page = await shared.newPage()
      opened.push(page)
      return page
    },
    async newPageOfStranger() {
      const context = await newContext(chromium)
      opened.push(context)
      return context.newPage()
    },
    async close() {
      await Promise.all(opened.map((each) => each.close()))
    },
  }
}

async function newContext(chromium: Browser): Promise<BrowserContext> {
  const context = await chromium.newContext({
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(30_000)
  return context
}
