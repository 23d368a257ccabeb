import { existsSync } from 'node:fs'

const LOCATIONS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** The path of Chromium: the environment variable `CHROMIUM`, or one of the standard locations. */
export function findChromium() {
  const { CHROMIUM } = process.env
  return CHROMIUM ?? LOCATIONS.find((path) => existsSync(path))
}
