import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

/** What a gateway of the benchmark is configured with. */
export interface TeamSetup {
  readonly mcpServers: Readonly<Record<string, object>>
  /** Without it, nobody has to sign in. */
  readonly issuer?: string
  /** The public address, which is the audience of all tokens. */
  readonly url?: string
  readonly rules?: readonly object[]
  /** Adds limits that nobody reaches, and an audit log. */
  readonly isGuarded?: boolean
  readonly redis?: string
  readonly postgres?: string
  readonly mode?: 'search' | 'dynamic'
}

/** Writes a configuration file to a new folder and returns its path. */
export function writeConfig(folder: string, setup: TeamSetup): string {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'toolsearch.json')
  writeFileSync(file, JSON.stringify(configOf(setup), null, 2))
  return file
}

const KEY = randomBytes(32).toString('hex')

function configOf({ mcpServers, issuer, url, rules, isGuarded, redis, postgres, mode }: TeamSetup) {
  return {
    mcpServers,
    toolsearch: {
      ...(mode && { mode }),
      ...(issuer && { identity: { url, issuers: [{ issuer }] } }),
      ...(rules && { access: { rules } }),
      ...(isGuarded && {
        rateLimits: [{ each: 'person', calls: 1_000_000, per: 'minute', concurrent: 1_000 }],
        audit: { to: postgres ? 'postgres' : 'file', arguments: 'shape' },
      }),
      ...((redis || postgres) && {
        state: { ...(redis && { redis }), ...(postgres && { postgres }) },
        encryption: { key: KEY },
      }),
    },
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
