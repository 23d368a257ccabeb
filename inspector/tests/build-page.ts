import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/** Builds the page once, before the tests that look at it. */
export async function buildPage(): Promise<void> {
  const root = fileURLToPath(new URL('..', import.meta.url))
  await build({ root, configFile: `${root}vite.config.ts`, logLevel: 'warn' })
}

export default buildPage
