import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '../protocol/json-object.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import type { Era } from '../protocol/versions.ts'
import { atomicWrite, PRIVATE_MODE } from '../system/atomic-write.ts'
import { createSerialQueue, type SerialQueue } from '../system/serial-queue.ts'
import type { RefusedTool } from './upstream.ts'

/** What is remembered of a server, so that it need not be started to be searched. */
export interface Manifest {
  /** Of the connection it was read from: another connection, another manifest. */
  readonly fingerprint: string
  readonly era: Era
  readonly tools: readonly McpTool[]
  readonly refused: readonly RefusedTool[]
  readonly capabilities: JsonObject
  readonly instructions?: string
}

export interface ManifestCache {
  /** Nothing if there is none, if it is of another connection, or if it cannot be read. */
  read(server: string, fingerprint: string): Promise<Manifest | undefined>
  /** Never rejects: what cannot be kept is asked for again the next time. */
  write(server: string, manifest: Manifest): Promise<void>
}

const FORMAT = 1

/** Keeps manifests as files in a folder, one for each server. */
export function createManifestCache(folder: string): ManifestCache {
  const queues = new Map<string, SerialQueue>()
  const file = (server: string) => join(folder, `${fileName(server)}.json`)

  return {
    async read(server, fingerprint) {
      try {
        const kept = JSON.parse(await readFile(file(server), 'utf8'))
        if (kept.format !== FORMAT || kept.server !== server) return undefined
        const manifest: Manifest = kept.manifest
        const sound =
          manifest.fingerprint === fingerprint &&
          Array.isArray(manifest.tools) &&
          manifest.tools.every((tool) => typeof tool?.name === 'string') &&
          Array.isArray(manifest.refused) &&
          (manifest.era === 'legacy' || manifest.era === 'modern')
        return sound ? manifest : undefined
      } catch {
        return undefined
      }
    },
    write(server, manifest) {
      const text = JSON.stringify({ format: FORMAT, server, manifest })
      const queue = queues.get(server) ?? createSerialQueue()
      queues.set(server, queue)
      return queue.run(() =>
        atomicWrite(file(server), text, { mode: PRIVATE_MODE }).catch(() => {}),
      )
    },
  }
}

function fileName(server: string): string {
  if (/^[a-z0-9_-]{1,64}$/.test(server)) return server
  // two names may differ only in what a file system does not keep apart
  const plain = server.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 40)
  return `${plain}-${createHash('sha256').update(server).digest('hex').slice(0, 12)}`
}
