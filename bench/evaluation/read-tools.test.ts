import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readTools } from './read-tools.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolsearch-eval-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function read(text: string) {
  const file = join(folder, 'tools.jsonl')
  writeFileSync(file, text)
  return readTools([file])
}

describe('readTools', () => {
  it('reads our fields and those of an MCP tools/list', async () => {
    const { tools, mended } = await read(
      [
        '\uFEFF{"name":"a","description":"A","parameters":{"type":"object"},"server":"one"}\r',
        '',
        '{"name":"b","inputSchema":{"type":"object","properties":{"x":{}}},"title":"B"}',
      ].join('\n'),
    )
    expect(mended).toBe(0)
    expect(tools).toMatchObject([
      { name: 'a', description: 'A', source: 'mcp:one', inputSchema: { type: 'object' } },
      { name: 'b', title: 'B', source: 'builtin', inputSchema: { properties: { x: {} } } },
    ])
  })

  it('takes a line separator that JSON allows within a string for what it is', async () => {
    const { tools } = await read('{"name":"a","description":"one\u2028two"}\n{"name":"b"}\n')
    expect(tools.map((tool) => tool.description)).toEqual(['one\u2028two', ''])
  })

  it('drops types that do not exist and keeps the rest of the schema', async () => {
    const properties = {
      type: { type: 'str', description: 'kind', enum: ['x'] },
      mixed: { type: ['string', 'any'] },
    }
    const { tools, mended } = await read(
      JSON.stringify({ name: 'a', parameters: { type: 'dict', properties } }),
    )
    expect(mended).toBe(1)
    expect(tools[0]!.inputSchema).toEqual({
      properties: { type: { description: 'kind', enum: ['x'] }, mixed: { type: ['string'] } },
    })
  })

  it('keeps names and descriptions of a schema that is wrong in other ways', async () => {
    const properties = { x: { description: 'X', pattern: '(' }, y: 'text' }
    const { tools, mended } = await read(JSON.stringify({ name: 'a', parameters: { properties } }))
    expect(mended).toBe(1)
    expect(tools[0]!.inputSchema.properties).toEqual({ x: { description: 'X' }, y: {} })
  })

  it('takes a tool whose schema is no object as one without parameters', async () => {
    const { tools, mended } = await read('{"name":"a","parameters":"none"}')
    expect(mended).toBe(1)
    expect(tools[0]!.inputSchema).toEqual({})
  })

  it('refuses what is wrong beside the schema, with file and line', async () => {
    await expect(read('{"name":"a"}\n{"name":""}')).rejects.toThrow(/tools\.jsonl:2: .*name/)
    await expect(read('[1]')).rejects.toThrow('tools.jsonl:1: must be a JSON object')
    await expect(read('\n\n')).rejects.toThrow('No tools in')
  })
})
