import { tmpdir } from 'node:os'
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
  // Chromium does not start if the path of its socket is too long, as it can be in the folder of a test file.
  const run = currentRun()
  const TMPDIR = run ? dirname(run.folder) : tmpdir()
  return chromium.launch({ executablePath, args, env: { ...process.env, TMPDIR } })
}
