import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importsBetweenModules, readModuleTable } from '../../../testing/read-module-table.ts'

const src = import.meta.dirname
const design = readFileSync(join(src, '../DESIGN.md'), 'utf8')
const documented = readModuleTable(design, '## Modules')
const actual = importsBetweenModules(src)

describe('the modules of the gateway', () => {
  it('are the ones in DESIGN.md', () => {
    expect([...actual.keys()].sort()).toEqual([...documented.keys()].sort())
  })

  it.each([...documented])(
    '%s imports exactly the modules that DESIGN.md lists',
    (name, imports) => {
      expect([...(actual.get(name) ?? [])].sort()).toEqual(imports)
    },
  )

  it('use the MCP SDK outside of offering/ only', () => {
    const files = readdirSync(join(src, 'offering'), { recursive: true, encoding: 'utf8' })
    const sources = files.filter((file) => /\.ts$/.test(file) && !/\.test\.ts$/.test(file))
    const importing = sources.filter((file) =>
      readFileSync(join(src, 'offering', file), 'utf8').includes("from '@modelcontextprotocol/"),
    )
    expect(importing).toEqual([])
  })
})
