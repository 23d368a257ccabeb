import { readdirSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { readServers } from './read-servers.ts'

const files = readdirSync(new URL('./servers', import.meta.url)).map((file) =>
  file.replace(/\.jsonl$/, ''),
)

const ajv = new Ajv2020({ strict: false, validateFormats: false })

describe('readServers', () => {
  it('names the tools as a client does', () => {
    const names = readServers(['banter']).map(({ name }) => name)
    expect(names).toContain('mcp__banter__send_message')
    expect(readServers({ chat: 'banter' })[0]).toMatchObject({
      name: names[0]!.replace('banter', 'chat'),
      source: 'mcp:chat',
    })
  })

  it('keeps the order of the servers', () => {
    const sources = readServers(['stumble', 'banter', 'coppice']).map(({ source }) => source)
    expect([...new Set(sources)]).toEqual(['mcp:stumble', 'mcp:banter', 'mcp:coppice'])
  })
})

describe.each(files)('the server %s', (file) => {
  const tools = readServers([file])

  it('gives each tool its own name and a description', () => {
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
    expect(tools.filter(({ description }) => !description)).toEqual([])
  })

  it('gives each tool a schema that compiles', () => {
    for (const { name, inputSchema } of tools) {
      expect(() => ajv.compile(inputSchema!), name).not.toThrow()
    }
  })
})
