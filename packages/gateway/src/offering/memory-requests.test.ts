import { describe, expect, it } from 'vitest'
import { readManifests } from '../../../../testing/manifests/read-manifests.ts'
import { createGateway } from './gateway.ts'
import { openRanker } from './open-ranker.ts'
import { gatewayConfig, serverConfig, upstreamSet } from './upstream-set.fixtures.ts'

const tools = readManifests(['memory']).map(({ name, source: _, ...tool }) => ({
  ...tool,
  name: name.slice('mcp__memory__'.length),
}))

async function start(ranking: 'words' | 'words-and-meaning') {
  const config = gatewayConfig([serverConfig('memory')], { ranking })
  const ranker = await openRanker(config, { cacheDir: false, warn: () => {} })
  const servers = upstreamSet({ memory: { tools } })
  return createGateway(config, servers, { ranker: ranker.create })
}

describe('requests to server-memory', () => {
  it.each([
    ['remember that Anna likes tea', ['memory__add_observations', 'memory__create_entities']],
    ['what do you know about Anna', ['memory__search_nodes']],
    ['forget what you know about Anna', ['memory__delete_observations', 'memory__delete_entities']],
  ])('finds tools for "%s"', async (query, expected) => {
    const { toolSearch } = await start('words-and-meaning')
    const found = toolSearch.search(query).hits.map(({ tool }) => tool.name)
    expect(found).toEqual(expect.arrayContaining(expected))
  })

  it('offers candidates even if only words are matched', async () => {
    const { toolSearch } = await start('words')
    for (const query of ['remember that Anna likes tea', 'what do you know about Anna']) {
      expect(toolSearch.search(query).candidates.length).toBeGreaterThan(0)
    }
  })
})
