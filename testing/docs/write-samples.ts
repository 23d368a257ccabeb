import { writeFileSync } from 'node:fs'
import { fillCodeBlocks } from './code-blocks.ts'
import { listPages, read, root } from './pages.ts'

// Run by `npm run docs -- write`: copies the files of docs/samples into the pages that show them.
for (const page of listPages()) {
  const before = read(page)
  const after = fillCodeBlocks(before, read)
  if (after === before) continue
  writeFileSync(root + page, after)
  process.stdout.write(`Updated ${page}\n`)
}
