/**
 * A replica in a process of its own, which calls a tool for each line on stdin and prints the result.
 * Run by account-store.test.ts.
 */
import { createInterface } from 'node:readline'
import { createServerAuth } from '../sign-in/server-auth.ts'
import { createStoredTokens } from '../sign-in/stored-tokens.ts'
import { createRedisState } from '../state/redis-state.ts'
import { createUpstream } from '../upstreams/create-upstream.ts'
import { serverConfig } from '../upstreams/fixtures/servers.fixtures.ts'
import { callText } from '../upstreams/fixtures/watch.fixtures.ts'
import { createAccountFiles } from './account-files.ts'
import { createAccountStore } from './account-store.ts'
import { createSecretBox } from './secret-box.ts'

export interface ReplicaProcessOptions {
  readonly redis: string
  readonly prefix: string
  readonly leaseMs: number
  readonly folder: string
  /** In base64. */
  readonly key: string
  readonly person: string
  /** Of the MCP server. */
  readonly url: string
}

if (process.env.REPLICA !== undefined) {
  const options: ReplicaProcessOptions = JSON.parse(process.env.REPLICA)
  const { redis, prefix, leaseMs, folder, key, person, url } = options
  const state = await createRedisState({ url: redis, prefix, leaseMs })
  const box = createSecretBox({ current: Buffer.from(key, 'base64'), previous: [] })
  const store = createAccountStore({ records: createAccountFiles(folder), box, state })
  const mail = { name: 'mail', kind: 'http' as const, url, headers: {} }
  const source = createStoredTokens(mail, store.signInsOf(person), 'Sign in again.')
  const upstream = createUpstream(serverConfig(mail, { name: 'mail' }), {
    authFor: () => createServerAuth(source),
  })
  await upstream.connect()
  console.log(upstream.status.state)
  for await (const _ of createInterface({ input: process.stdin })) {
    console.log(await callText(upstream, 'open_tool').catch((error: Error) => error.message))
  }
  await upstream.close()
  await state.close()
}
