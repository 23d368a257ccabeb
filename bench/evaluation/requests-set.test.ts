import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readManifests } from './requests-set.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolsearch-manifests-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('names tools after their server, in the order of the file names', () => {
  writeFileSync(join(folder, 'files.jsonl'), '{"name":"read"}\n{"name":"write"}\n')
  writeFileSync(join(folder, 'chat.jsonl'), '{"name":"send","description":"Send a message"}\n')
  writeFileSync(join(folder, 'README.md'), '')
  expect(readManifests(folder)).toMatchObject([
    { name: 'mcp__chat__send', source: 'mcp:chat', description: 'Send a message' },
    { name: 'mcp__files__read', source: 'mcp:files' },
    { name: 'mcp__files__write', source: 'mcp:files' },
  ])
})

it('rejects a folder without manifests', () => {
  expect(() => readManifests(join(folder, 'none'))).toThrow('No manifests in')
})
