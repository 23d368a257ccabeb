import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { invalidSchema } from '../checking-server/invalid-schema.ts'
import { readServers } from './read-servers.ts'

const files = readdirSync(new URL('./servers', import.meta.url)).map((file) =>
  file.replace(/\.jsonl$/, ''),
)

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

  it('gives each tool a valid schema', () => {
    const problems = tools.map(({ name, inputSchema }) => [name, invalidSchema(inputSchema)])
    expect(problems.filter(([, problem]) => problem)).toEqual([])
  })
})
