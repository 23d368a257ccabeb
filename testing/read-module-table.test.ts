import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importsBetweenModules, readModuleTable } from './read-module-table.ts'

const markdown = `# Design

## Modules

Some text.

| module   | what it is for | imports |
| -------- | -------------- | ------- |
| \`a/\`     | first          | none    |
| \`b/\`     | second         | c, a    |
| \`main.ts\` | third          | –       |

| another | table |
| ------- | ----- |
| x       | y     |
`

describe('readModuleTable', () => {
  it('reads the first table below the heading', () => {
    expect([...readModuleTable(markdown, '## Modules')]).toEqual([
      ['a', []],
      ['b', ['a', 'c']],
      ['main.ts', []],
    ])
  })

  it('throws if the heading does not exist', () => {
    expect(() => readModuleTable(markdown, '## Rooms')).toThrow('## Rooms')
  })
})

describe('importsBetweenModules', () => {
  it('finds the imports between folders and root files', () => {
    const imports = importsBetweenModules(join(import.meta.dirname, '../packages/toolsearch/src'))
    expect(imports.get('query')).toEqual(new Set())
    expect(imports.get('tokens')).toContain('catalogue')
    expect(imports.get('toolsearch.ts')).toContain('session')
  })
})
