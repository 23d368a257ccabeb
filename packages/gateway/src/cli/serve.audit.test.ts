import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type AuditedGateway, auditedGateway } from './audited-gateway.fixtures.ts'

vi.setConfig({ testTimeout: 120_000 })

let gateway: AuditedGateway
beforeEach(async () => {
  gateway = await auditedGateway()
})
afterEach(() => gateway.served.end())

it('a replica records edits of the configuration file by setting', async () => {
  const settings = { audit: {}, access: { rules: [{ allow: ['*'] }, { deny: ['hang'] }] } }
  const { served, start, writeConfig, audited } = gateway
  const { command, client } = await start(settings)
  await writeConfig({
    ...settings,
    access: { rules: [{ allow: ['*'] }] },
    rateLimits: [{ each: 'person', calls: 1_000, per: 'day' }],
  })
  await expect
    .poll(() => audited({ action: 'config.reload' }))
    .toMatchObject([
      {
        person: 'file',
        outcome: 'ok',
        detail: {
          added: ['toolsearch.rateLimits'],
          removed: ['toolsearch.access.rules[1]'],
          changed: [],
        },
      },
    ])
  await served.write({ mcpServers: [] })
  await expect.poll(() => command.err).toContain('has errors')
  // The command that reads the log needs a valid file.
  await writeConfig(settings)
  await expect
    .poll(() => audited({ action: 'config.reload', outcome: 'failed' }))
    .toMatchObject([{ person: 'file', error: expect.stringContaining('has errors') }])
  await client.close()
})

it('a replica records what a person does in the inspector once, and calls when they start', async () => {
  const { start, audited } = gateway
  const { url, client } = await start({ audit: {} })
  await client.listTools()
  const post = (path: string, body: object, signal: AbortSignal | null = null) =>
    fetch(new URL(path, url), { method: 'POST', body: JSON.stringify(body), signal })
  const edit = await post('/api/config', { action: 'deny', server: 'odd', tool: 'echo' })
  expect(await edit.json()).toMatchObject({ isApplied: true })
  await expect.poll(() => audited({ action: 'config.edit' })).toHaveLength(1)
  const abandoned = new AbortController()
  const call = { arguments: {}, confirm: true }
  post('/api/tools/odd__hang/call', call, abandoned.signal).catch(() => {})
  await expect
    .poll(() => audited({ tool: 'odd/hang' }))
    .toMatchObject([{ outcome: 'unknown', client: 'inspector' }])
  abandoned.abort()
  expect(await audited({ action: 'config.reload' })).toEqual([])
  await client.close()
})

it('a replica that is killed leaves a trace of its calls', async () => {
  await gateway.writeConfig({ audit: {} })
  await gateway.expectTraceOfKilledProcess()
})
