import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTools } from './read-tools.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolsearch-eval-'))

function read(text: string) {
  const file = join(folder, 'tools.jsonl')
  writeFileSync(file, text)
  return readTools([file])
}

describe('readTools', () => {
  it('reads the fields of data sets and of an MCP tools/list', () => {
    const tools = read(
      [
        '\uFEFF{"name":"a","description":"A","parameters":{"type":"object"},"server":"one"}\r',
        '',
        '{"name":"b","inputSchema":{"type":"object","properties":{"x":{}}},"title":"B"}',
      ].join('\n'),
    )
    expect(tools).toMatchObject([
      { name: 'a', description: 'A', source: 'mcp:one', inputSchema: { type: 'object' } },
      { name: 'b', title: 'B', source: 'builtin', inputSchema: { properties: { x: {} } } },
    ])
  })

  it('does not split a line at U+2028, which JSON allows inside a string', () => {
    const tools = read('{"name":"a","description":"one\u2028two"}\n{"name":"b"}\n')
    expect(tools.map((tool) => tool.description)).toEqual(['one\u2028two', ''])
  })

  it('keeps tools with invalid schemas, and does not change the schemas', () => {
    const parameters = {
      type: 'dict',
      properties: { x: { type: 'float', pattern: '(?i)a' }, y: 'text' },
    }
    const tools = read(JSON.stringify({ name: 'a', parameters }))
    expect(tools[0]!.inputSchema).toEqual(parameters)
    expect(tools[0]!.problems).toHaveLength(4)
  })

  it('rejects other problems, with file and line', () => {
    expect(() => read('{"name":"a"}\n{"name":""}')).toThrow(/tools\.jsonl:2: .*name/)
    expect(() => read('[1]')).toThrow('tools.jsonl:1: expected one JSON object per line')
    expect(() => read('\n\n')).toThrow('No tools in')
  })
})
