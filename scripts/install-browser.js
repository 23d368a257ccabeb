// Installs Chromium for the inspector tests. Works only on Debian and as root, as in CI.
import { execFileSync } from 'node:child_process'
import { findChromium } from './find-chromium.js'

if (findChromium() === undefined) {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') {
    console.error(
      'The tests need Chromium. Install it, or set CHROMIUM to the path of your browser.',
    )
    process.exit(1)
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args) =>
    execFileSync('apt-get', ['-qq', '-o', 'Acquire::Retries=3', ...args], { stdio: 'inherit', env })
  console.error('Installing Chromium for the inspector tests …')
  apt('update')
  apt('install', '--yes', '--no-install-recommends', 'chromium')
}
