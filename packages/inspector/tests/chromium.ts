import { dirname } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { findChromium } from '../../../scripts/services.js'
import { currentRun } from '../../../testing/temporary-files/current-run.ts'

const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // No subpixel rendering: screenshots get smaller and look the same on every screen.
  '--disable-lcd-text',
]

/** Starts a headless browser. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined) {
    throw new Error(
      'No Chromium found. Install one (Debian: apt-get install chromium), or set CHROMIUM to its path.',
    )
  }
  const launch = () => chromium.launch({ executablePath, args })
  const run = currentRun()
  if (run === undefined) return launch()
  // Not in the folder of the test file that happens to be the first: others share the browser, and Chromium
  // does not start if the path of its socket is too long. With LC_ALL=C it cannot store anything in a folder
  // whose name has other letters than those of ASCII.
  const { TMPDIR } = process.env
  const parent = dirname(run.folder)
  process.env.TMPDIR = /^[ -~]*$/.test(parent) ? parent : '/tmp'
  try {
    return await launch()
  } finally {
    process.env.TMPDIR = TMPDIR
  }
}
