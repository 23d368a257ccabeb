import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createToolSearch } from 'toolsearch'
import { describe, expect, it } from 'vitest'
import { readManifests } from './read-manifests.ts'
import { publishedServers } from './server-list.ts'

const FREE_LICENCES = ['MIT', 'Apache-2.0', 'ISC']

describe('readManifests', () => {
  it('names the tools as a client does', () => {
    expect(readManifests(['slack', 'github'])[0]).toMatchObject({
      name: 'mcp__slack__slack_list_channels',
      source: 'mcp:slack',
    })
  })

  it('keeps the order of the servers', () => {
    const sources = readManifests(['slack', 'github']).map(({ source }) => source)
    expect([...new Set(sources)]).toEqual(['mcp:slack', 'mcp:github'])
  })

  it('reads every tool of every server without a conflict', () => {
    const tools = readManifests()
    const { catalogue } = createToolSearch({ tools })
    expect(catalogue.size).toBe(tools.length)
    expect(new Set(tools.map(({ source }) => source)).size).toBe(publishedServers().length)
  })
})

describe('servers.json', () => {
  const servers = publishedServers()
  const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8')

  it('has an entry for each file, and a file for each entry', () => {
    const files = readdirSync(join(import.meta.dirname, 'servers'))
    expect(files.sort()).toEqual(servers.map(({ name }) => `${name}.jsonl`).sort())
  })

  it.each(servers)('pins $name to a version and attributes it in the README', (server) => {
    expect(server.version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/)
    expect(FREE_LICENCES).toContain(server.licence)
    expect(readme).toMatch(
      new RegExp(
        `\\| ${server.name} +\\| ${server.package} ${server.version} +\\| ${server.licence} `,
      ),
    )
  })
})
