import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { isBuilt } from '../../../testing/is-built.ts'

/** Builds the page as it is shipped, once before all tests, unless it is built already. */
export default async function setUp(): Promise<void> {
  if (!isBuilt) await buildPage()
}

export async function buildPage(): Promise<void> {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const { NODE_ENV } = process.env
  // Vitest sets NODE_ENV to "test", which would make Vite build for development.
  process.env.NODE_ENV = 'production'
  try {
    await build({ root, configFile: `${root}vite.config.ts`, logLevel: 'warn' })
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  }
}
