import { dirname } from 'node:path'
import type { Browser } from 'playwright-core'
import { currentRun } from '../../../testing/temporary-files/current-run.ts'
import { launchChromium } from './chromium.ts'

/** A browser as tests see it: its contexts have nothing in common with those of others. */
export type TestBrowser = Pick<Browser, 'newContext' | 'close'>

/** Ends with the process, because several test files share it. */
let launching: Promise<Browser> | undefined

/** Opens a browser. All test files of a process share one Chromium, which takes a second to start. */
export async function openBrowser(): Promise<TestBrowser> {
  launching ??= launch()
  const chromium = await launching
  const contexts: Awaited<ReturnType<Browser['newContext']>>[] = []
  return {
    async newContext(options) {
      const context = await chromium.newContext(options)
      contexts.push(context)
      return context
    },
    async close() {
      await Promise.all(contexts.map((context) => context.close()))
    },
  }
}

/** The profile must not be among the temporary files of the test file that happens to be the first. */
async function launch(): Promise<Browser> {
  const { TMPDIR } = process.env
  process.env.TMPDIR = dirname(currentRun()!.folder)
  try {
    return await launchChromium()
  } finally {
    process.env.TMPDIR = TMPDIR
  }
}
