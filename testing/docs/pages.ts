import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folder of the repository, with a slash at the end. */
export const root: string = fileURLToPath(new URL('../../', import.meta.url))

/** The folders of the published packages. */
export const PACKAGES = [
  'packages/toolsearch',
  'packages/semantics',
  'packages/encoder',
  'packages/gateway',
] as const

/** The pages that users read, as paths in the repository. */
export function listPages(): string[] {
  const readmes = PACKAGES.map((folder) => `${folder}/README.md`)
  const docs = readdirSync(`${root}docs`).filter((name) => name.endsWith('.md'))
  return ['README.md', ...readmes, ...docs.sort().map((name) => `docs/${name}`)]
}

/** The files that the pages show, as paths in the repository. */
export function listSamples(): string[] {
  return readdirSync(`${root}docs/samples`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(root.length))
    .sort()
}

/** Reads a file of the repository. */
export function read(file: string): string {
  return readFileSync(root + file, 'utf8')
}
