import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { ServerConfig } from '../config/gateway-config.ts'
import { fingerprint } from '../system/fingerprint.ts'
import { createManifestCache, type Manifest } from '../upstreams/manifest-cache.ts'
import type { Known } from './person-upstream.ts'

/** What the servers of each person offer, so that it is known without a connection. */
export interface PersonManifests {
  /** Undefined unless it was read with the same configuration and the same account. */
  read(
    person: string,
    config: ServerConfig,
    generation: string | undefined,
  ): Promise<Manifest | undefined>
  known(
    person: string,
    config: ServerConfig,
    generation: string | undefined,
  ): Promise<Known | undefined>
  write(
    person: string,
    config: ServerConfig,
    generation: string | undefined,
    manifest: Manifest,
  ): void
  /** Never rejects. */
  forget(person: string, config: ServerConfig): Promise<void>
  /** Resolves when everything is written. */
  saved(): Promise<void>
}

/**
 * Stores manifests in a folder per person. They are marked with the configuration as everybody sees it
 * and with the generation of the account, so that no hash of a person's secrets is stored.
 *
 * @param folder without it, nothing is stored
 */
export function createPersonManifests(folder: string | undefined): PersonManifests {
  /** The latest write of each file. One after the other: skills arrive shortly after tools. */
  const writes = new Map<string, Promise<void>>()
  const folderOf = (person: string) =>
    join(folder!, createHash('sha256').update(person).digest('hex').slice(0, 32))
  const cacheOf = (person: string) => createManifestCache(folderOf(person))
  const markOf = ({ connection, credentials }: ServerConfig, generation: string | undefined) =>
    fingerprint([connection, credentials ?? null, generation ?? null])

  async function read(person: string, config: ServerConfig, generation: string | undefined) {
    if (folder === undefined) return undefined
    return cacheOf(person).read(config.name, markOf(config, generation))
  }

  return {
    read,
    async known(person, config, generation) {
      const manifest = await read(person, config, generation)
      if (!manifest) return undefined
      const { tools, skills = [], instructions, capabilities, era } = manifest
      return { tools, skills, instructions, capabilities, era, generation }
    },
    write(person, config, generation, manifest) {
      if (folder === undefined) return
      const marked = { ...manifest, fingerprint: markOf(config, generation) }
      const key = JSON.stringify([person, config.name])
      const before = writes.get(key) ?? Promise.resolve()
      const writing = before
        .then(() => cacheOf(person).write(config.name, marked))
        .finally(() => {
          if (writes.get(key) === writing) writes.delete(key)
        })
      writes.set(key, writing)
    },
    async forget(person, config) {
      if (folder === undefined) return
      await Promise.all(writes.values())
      // the mark of the next account differs, so a file that stays is not used
      await createManifestCache(folderOf(person)).remove(config.name)
    },
    async saved() {
      await Promise.all(writes.values())
    },
  }
}
