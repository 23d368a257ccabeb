import { type Browser, chromium } from 'playwright-core'
import { findChromium } from '../../../scripts/services.js'

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
  return chromium.launch({ executablePath, args })
}
