// The inspector is tested in a real Chromium. On a fresh Debian machine, as root, it is installed here.
import { execFileSync } from 'node:child_process'
import { findChromium } from './find-chromium.js'

if (findChromium() === undefined) {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') {
    console.error('The tests need a Chromium: install one, or name yours in CHROMIUM.')
    process.exit(1)
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args) =>
    execFileSync('apt-get', ['-qq', '-o', 'Acquire::Retries=3', ...args], { stdio: 'inherit', env })
  console.error('Installing Chromium for the tests of the inspector …')
  apt('update')
  apt('install', '--yes', '--no-install-recommends', 'chromium')
}
