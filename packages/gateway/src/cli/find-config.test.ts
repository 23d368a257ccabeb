import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { findConfigFile } from './find-config.ts'

let folder = ''
let own = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolsearch-find-'))
  mkdirSync(join(folder, 'toolsearch'))
  own = join(folder, 'toolsearch', 'toolsearch.json')
  writeFileSync(own, '{}')
})

const find = (content: unknown) => {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  writeFileSync(join(folder, '.mcp.json'), text)
  return findConfigFile({ values: {}, env: { XDG_CONFIG_HOME: folder }, cwd: folder })
}
const files = { command: 'npx', args: ['-y', 'server-files'] }

describe('.mcp.json in the current folder', () => {
  it.each([
    [{ command: 'toolsearch', args: ['serve'] }],
    [{ command: 'toolsearch-gateway' }],
    [{ command: 'npx', args: ['-y', 'toolsearch-gateway', 'serve', '--config', '/x.json'] }],
    [{ command: 'node', args: ['/x/toolsearch-gateway/dist/command/main.js', 'serve'] }],
    [{ type: 'http', url: 'http://127.0.0.1:7777/mcp' }],
  ])('is skipped if all it contains is the gateway: %j', (toolsearch) => {
    expect(find({ mcpServers: { toolsearch } })).toBe(own)
  })

  it.each([
    [{ mcpServers: { files } }],
    [{ mcpServers: { files, toolsearch: { command: 'toolsearch', args: ['serve'] } } }],
    [{ mcpServers: { other: { url: 'http://127.0.0.1:7777/mcp' } } }],
    [{ mcpServers: {} }],
    ['not JSON'],
  ])('is used otherwise: %j', (content) => {
    expect(find(content)).toBe(join(folder, '.mcp.json'))
  })
})
