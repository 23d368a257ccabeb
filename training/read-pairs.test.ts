import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeEach, expect, it } from 'vitest'
import { readPairs } from './read-pairs.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolsearch-pairs-'))
})

function write(source: string, tool: object): void {
  const line = JSON.stringify({ query: 'send a mail', tool, source })
  writeFileSync(join(folder, `${source}.jsonl.gz`), gzipSync(`${line}\n`))
}

it('reads the pairs of all files in the order of their names', () => {
  write('second', { name: 'send_mail', description: 'Send.', server: 'Post' })
  write('first', { name: 'mail', description: '' })
  expect(readPairs(folder)).toEqual([
    { source: 'first', request: 'send a mail', name: 'mail', text: ' mail. ' },
    { source: 'second', request: 'send a mail', name: 'send_mail', text: 'Post send_mail. Send.' },
  ])
})

it('leaves out the pairs of evaluation sets', () => {
  write('dev-metatool', { name: 'mail', description: '' })
  write('tldr', { name: 'mail', description: '' })
  expect(readPairs(folder).map(({ source }) => source)).toEqual(['tldr'])
})

it.each(['.', 'missing'])('names the folder if it has no pairs: %s', (path) => {
  expect(() => readPairs(join(folder, path))).toThrow(
    `No training pairs in ${join(folder, path)}: expected <source>.jsonl.gz. Choose another folder with --pairs DIR.`,
  )
})
