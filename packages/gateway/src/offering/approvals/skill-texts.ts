import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeText } from '../../skills/decode-text.ts'
import { digestOf } from '../../skills/verify-file.ts'
import { atomicWrite, PRIVATE_MODE } from '../../system/atomic-write.ts'

/**
 * The texts of skill files that somebody has read, so that people see what changed when a skill waits for
 * approval. Only people get them: models always get what the server sends. `skill-texts.cases.ts` is the
 * contract of the store.
 */
export interface SkillTexts {
  /** Undefined if the text is not stored. Never rejects. */
  read(digest: string): Promise<string | undefined>
  /** Stores a file if it is a text that is not too large. Works in the background. */
  keep(digest: string, bytes: Uint8Array): void
  /** Resolves when everything is stored, or could not be. */
  settled(): Promise<void>
}

/** Keeps texts by their digests. Removes those that were not kept for the longest time. */
export interface SkillTextStore {
  read(digest: string): Promise<Uint8Array | undefined>
  write(digest: string, text: string): Promise<void>
}

/** Larger texts are not instructions. */
export const MAX_TEXT_BYTES: number = 256 * 1024
/** Of all texts together. */
export const MAX_STORED_BYTES: number = 16 * 1024 * 1024
/** To remember what is stored without asking again. */
const MAX_REMEMBERED = 10_000

export function createSkillTexts(store: SkillTextStore | undefined): SkillTexts {
  const kept = new Set<string>()
  let writes: Promise<void> = Promise.resolve()
  return {
    async read(digest) {
      await writes
      const bytes = await store?.read(digest).catch(() => undefined)
      // Others may write to the store.
      return bytes && digestOf(bytes) === digest ? decodeText(bytes) : undefined
    },
    keep(digest, bytes) {
      if (!store || bytes.byteLength > MAX_TEXT_BYTES || kept.has(digest)) return
      const text = decodeText(bytes)
      if (text === undefined) return
      if (kept.size >= MAX_REMEMBERED) kept.clear()
      kept.add(digest)
      writes = writes.then(() => store.write(digest, text)).catch(() => void kept.delete(digest))
    },
    settled: () => writes,
  }
}

/** Stores texts in a folder, one file per text. */
export function createSkillTextFiles(
  folder: string,
  maxBytes: number = MAX_STORED_BYTES,
): SkillTextStore {
  const fileOf = (digest: string) => join(folder, digest.replace(/^sha256:/, ''))

  async function removeOldest(): Promise<void> {
    const names = await readdir(folder)
    const files = await Promise.all(
      names.map(async (name) => {
        const { size, mtimeMs } = await stat(join(folder, name))
        return { name, size, mtimeMs }
      }),
    )
    let bytes = 0
    for (const { name, size } of files.sort((a, b) => b.mtimeMs - a.mtimeMs)) {
      bytes += size
      if (bytes > maxBytes) await rm(join(folder, name), { force: true })
    }
  }

  return {
    async read(digest) {
      return readFile(fileOf(digest)).catch(() => undefined)
    },
    async write(digest, text) {
      const now = new Date()
      try {
        await utimes(fileOf(digest), now, now)
      } catch {
        await atomicWrite(fileOf(digest), text, { mode: PRIVATE_MODE })
        await removeOldest()
      }
    },
  }
}
