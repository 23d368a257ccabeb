import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { type PostgresServer, startPostgres } from '../../../../testing/services/start-postgres.ts'
import { type AuditedGateway, auditedGateway } from './audited-gateway.fixtures.ts'
import { textOf } from './serving.fixtures.ts'

vi.setConfig({ testTimeout: 120_000 })

let postgres: PostgresServer
let gateway: AuditedGateway
beforeAll(async () => {
  postgres = await startPostgres()
})
beforeEach(async () => {
  gateway = await auditedGateway()
})
afterEach(() => gateway.served.end())
afterAll(() => postgres.close())

async function administer(url: string, statements: readonly string[]): Promise<void> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

it('a replica that is killed leaves a trace of its calls in PostgreSQL', async () => {
  await gateway.writeConfig({ audit: {}, state: { postgres: await postgres.freshDatabase() } })
  await gateway.expectTraceOfKilledProcess()
})

it('a replica executes nothing while PostgreSQL is down or read-only, if entries are required', async () => {
  const state = { postgres: await postgres.freshDatabase() }
  const { url, call, client } = await gateway.start({ audit: { required: true }, state })
  expect(textOf(await call('echo'))).toBe('call 1')
  const ready = async () => (await fetch(new URL('/readyz', url))).status
  await postgres.stop()
  expect(textOf(await call('echo'))).toContain('cannot write its audit log')
  await postgres.start()
  await expect.poll(ready).toBe(200)
  // What was refused has not reached the server.
  await expect.poll(async () => textOf(await call('echo'))).toBe('call 2')

  // Like a full disk: it answers, and stores nothing.
  const setReadOnly = (value: string) =>
    administer(state.postgres, [
      'set default_transaction_read_only = off',
      `alter system set default_transaction_read_only = ${value}`,
      'select pg_reload_conf()',
    ])
  await setReadOnly('on')
  await expect.poll(async () => textOf(await call('echo'))).toContain('cannot write its audit log')
  await setReadOnly('off')
  await expect.poll(async () => textOf(await call('echo'))).not.toContain('cannot write')
  await client.close()
})
