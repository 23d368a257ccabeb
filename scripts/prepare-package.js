// Runs in a package's folder before its build: deletes old output, and copies the licence and the
// pages of docs/ that are named in the arguments.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

const root = new URL('../', import.meta.url)
for (const folder of ['dist', 'docs']) rmSync(folder, { recursive: true, force: true })
copyFileSync(new URL('LICENSE', root), 'LICENSE')

const pages = process.argv.slice(2)
if (pages.length > 0) mkdirSync('docs')
for (const page of pages) {
  const text = readFileSync(new URL(`docs/${page}.md`, root), 'utf8')
  // Screenshots would make up most of the package.
  writeFileSync(`docs/${page}.md`, text.replace(/^!\[.*\]\(screenshots\/.*\)\n\n/gm, ''))
}
