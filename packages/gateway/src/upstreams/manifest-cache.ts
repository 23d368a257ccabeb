import { createHash } from 'node:crypto'
import { readFile, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '../protocol/json-object.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import type { Era } from '../protocol/versions.ts'
import { readSkillEntry, type SkillEntry } from '../skills/skill-entry.ts'
import { atomicWrite, PRIVATE_MODE } from '../system/atomic-write.ts'
import { createSerialQueue, type SerialQueue } from '../system/serial-queue.ts'
import { timeSlices } from '../system/time-slices.ts'
import type { RefusedTool } from './upstream.ts'

/** The cached description of a server, so that its tools can be searched before it starts. */
export interface Manifest {
  /** The fingerprint of the connection it was read from. */
  readonly fingerprint: string
  readonly era: Era
  readonly tools: readonly McpTool[]
  /** Absent if the server has none. */
  readonly skills?: readonly SkillEntry[]
  readonly refused: readonly RefusedTool[]
  readonly capabilities: JsonObject
  readonly instructions?: string
  /** When the server last sent this, in milliseconds since 1970. Known for cached manifests only. */
  readonly readAt?: number
}

export interface ManifestCache {
  /**
   * Undefined if there is no readable manifest for this connection.
   *
   * @param fingerprint of the connection. @default any
   */
  read(server: string, fingerprint?: string): Promise<Manifest | undefined>
  /** Never rejects: without a cached manifest, the next run asks the server again. */
  write(server: string, manifest: Manifest): Promise<void>
  /** Never rejects. */
  remove(server: string): Promise<void>
  /** Notes that the server still has the manifest in the cache. Never rejects. */
  confirm(server: string): Promise<void>
}

const FORMAT = 1

/** Stores manifests in a folder, one file per server. */
export function createManifestCache(folder: string): ManifestCache {
  const queues = new Map<string, SerialQueue>()
  const file = (server: string) => join(folder, `${fileName(server)}.json`)

  return {
    async read(server, fingerprint) {
      try {
        const [text, { mtimeMs }] = await Promise.all([
          readFile(file(server), 'utf8'),
          stat(file(server)),
        ])
        const stored = JSON.parse(text)
        if (stored.format !== FORMAT || stored.server !== server) return undefined
        const { skills: entries, ...rest } = stored.manifest
        const skills = validSkills(entries)
        const manifest: Manifest = {
          ...rest,
          ...(skills.length > 0 && { skills }),
          readAt: mtimeMs,
        }
        const isValid =
          (fingerprint === undefined || manifest.fingerprint === fingerprint) &&
          Array.isArray(manifest.tools) &&
          manifest.tools.every((tool) => typeof tool?.name === 'string') &&
          Array.isArray(manifest.refused) &&
          (manifest.era === 'legacy' || manifest.era === 'modern')
        return isValid ? manifest : undefined
      } catch {
        return undefined
      }
    },
    write(server, manifest) {
      const queue = queues.get(server) ?? createSerialQueue()
      queues.set(server, queue)
      return queue.run(async () => {
        const text = await writeManifest(server, manifest)
        await atomicWrite(file(server), text, { mode: PRIVATE_MODE }).catch(() => {})
      })
    },
    async remove(server) {
      await rm(file(server), { force: true }).catch(() => {})
    },
    async confirm(server) {
      const now = new Date()
      await utimes(file(server), now, now).catch(() => {})
    },
  }
}

function fileName(server: string): string {
  if (/^[a-z0-9_-]{1,64}$/.test(server)) return server
  // the hash distinguishes names that differ only in case or in the replaced characters
  const plain = server.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 40)
  return `${plain}-${createHash('sha256').update(server).digest('hex').slice(0, 12)}`
}

/** Pauses between tools, so that other work can run. */
async function writeManifest(server: string, { tools, ...rest }: Manifest): Promise<string> {
  const slices = timeSlices()
  const texts: string[] = []
  for (const tool of tools) {
    texts.push(JSON.stringify(tool))
    await slices.next()
  }
  const text = JSON.stringify({ format: FORMAT, server, manifest: { tools: [], ...rest } })
  return text.replace('"tools":[]', () => `"tools":[${texts.join()}]`)
}

/** A cache is a file that others may have written. */
function validSkills(entries: unknown): readonly SkillEntry[] {
  if (!Array.isArray(entries)) return []
  return entries.flatMap((entry) => {
    const read = readSkillEntry(entry)
    return 'problem' in read ? [] : [read]
  })
}
