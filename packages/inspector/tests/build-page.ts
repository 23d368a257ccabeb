import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/** Builds the page once, before the tests that look at it: the same that is shipped. */
export async function buildPage(): Promise<void> {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const { NODE_ENV } = process.env
  // Vite goes by this, and a runner of tests sets it to something else
  process.env.NODE_ENV = 'production'
  try {
    await build({ root, configFile: `${root}vite.config.ts`, logLevel: 'warn' })
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  }
}

export default buildPage
