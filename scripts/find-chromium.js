import { existsSync } from 'node:fs'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** Where a Chromium is on this machine: the one in `CHROMIUM`, or one in a usual place. */
export function findChromium() {
  const { CHROMIUM } = process.env
  return CHROMIUM ?? PLACES.find((place) => existsSync(place))
}
