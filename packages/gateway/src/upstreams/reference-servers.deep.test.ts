import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { nodeServer, referenceServer } from './fixtures/servers.fixtures.ts'
import { callText, createUpstreams } from './fixtures/watch.fixtures.ts'

const upstreams = createUpstreams()
afterAll(async () => {
  expect(await upstreams.closeAll()).toEqual([])
})

it('server-filesystem reads a file', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'upstreams-')))
  writeFileSync(join(folder, 'a.txt'), 'hello')
  const upstream = upstreams.open(nodeServer([referenceServer('filesystem'), folder]))
  const path = join(folder, 'a.txt')
  expect(await callText(upstream, 'read_text_file', { path })).toBe('hello')
  expect(upstream.status.state).toMatch(/connecting|ready/)
})

it('server-memory searches its graph', async () => {
  const upstream = upstreams.open(nodeServer([referenceServer('memory')]))
  await upstream.connect()
  expect(upstream.tools.map((tool) => tool.name)).toContain('create_entities')
  expect(await callText(upstream, 'search_nodes', { query: 'nobody-of-that-name' })).toMatch(
    /entities/,
  )
})
