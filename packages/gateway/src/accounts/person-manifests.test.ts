import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { serverConfig } from '../offering/upstream-set.fixtures.ts'
import { createPersonManifests } from './person-manifests.ts'

it('keeps the manifest that was written last, even if an earlier one takes longer', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'toolsearch-manifests-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const manifests = createPersonManifests(folder)
  const config = serverConfig('notes', { credentials: { kind: 'person' } })
  const manifest = (count: number, description: string) => ({
    fingerprint: '',
    era: 'modern' as const,
    tools: Array.from({ length: count }, (_, at) => ({ name: `tool_${at}`, description })),
    refused: [],
    capabilities: {},
  })
  manifests.write('ann', config, 'one', manifest(2_000, 'x'.repeat(5_000)))
  manifests.write('ann', config, 'one', manifest(1, 'y'))
  await manifests.saved()
  expect((await manifests.known('ann', config, 'one'))?.tools).toHaveLength(1)
})
