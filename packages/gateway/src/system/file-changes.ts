import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { atomicWrite, PRIVATE_MODE } from './atomic-write.ts'
import { withLock } from './with-lock.ts'

/** Writes files in a way that can be undone. */
export interface FileChanges {
  /**
   * Writes several files as one change: all of them or none. Skips files that already have the text.
   * Rejects with a {@link FileChangeError} that names the file.
   */
  write(title: string, files: readonly FileText[]): Promise<{ readonly id: string }>
  /** The changes that can be undone, latest first. */
  list(): Promise<readonly FileChange[]>
  /**
   * Restores the files of a change, by default of the latest one. Undefined if there is no such change;
   * `conflict` lists the files that were edited since, and then nothing is restored.
   */
  undo(id?: string): Promise<Undone | undefined>
}

export interface FileText {
  readonly file: string
  readonly text: string
}

interface FileChange {
  readonly id: string
  readonly title: string
  /** ISO 8601. */
  readonly at: string
  readonly files: readonly string[]
}

type Undone =
  | { readonly restored: string[]; readonly title: string }
  | { readonly conflict: string[] }

/** A file of a change could not be written. The other files of the change are as before. */
export class FileChangeError extends Error {
  override readonly name = 'FileChangeError'
  readonly code = 'file_change_failed'
  readonly file: string

  constructor(file: string, cause: unknown) {
    super(`Could not write ${file}: ${(cause as Error).message}`, { cause })
    this.file = file
  }
}

/** What is stored about a change, in one file each. */
interface StoredChange {
  readonly title: string
  readonly at: string
  readonly files: readonly StoredFile[]
}

interface StoredFile {
  readonly file: string
  /** The content before the change, in base64; null if the file did not exist. */
  readonly before: string | null
  /** The hash of the content after the change. */
  readonly after: string
}

const MAX_CHANGES = 20
// some clients store much more than servers in their files
const MAX_BYTES = 100_000_000

/**
 * @param folder where to store the previous content of changed files; it may contain secrets, so only
 *   the owner can read it
 */
export function createFileChanges(folder: string): FileChanges {
  const recordOf = (id: string) => join(folder, `${id}.json`)
  const lock = async <Result>(task: () => Promise<Result>) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return withLock(join(folder, 'lock'), task)
  }

  return {
    write: (title, files) =>
      lock(async () => {
        const [latest] = await ids()
        const at = new Date(Math.max(Date.now(), timeOf(latest) + 1))
        const id = `${at.getTime()}-${randomUUID().slice(0, 8)}`
        const changed: (StoredFile & { text: string })[] = []
        for (const { file, text } of files) {
          const before = await contentOf(file)
          if (before?.equals(Buffer.from(text))) continue
          changed.push({
            file,
            before: before?.toString('base64') ?? null,
            after: hash(text),
            text,
          })
        }
        if (changed.length === 0) return { id }
        const stored = changed.map(({ file, before, after }) => ({ file, before, after }))
        const record: StoredChange = { title, at: at.toISOString(), files: stored }
        await atomicWrite(recordOf(id), JSON.stringify(record), { mode: PRIVATE_MODE })
        for (const [index, { file, text }] of changed.entries()) {
          try {
            await atomicWrite(file, text)
          } catch (error) {
            for (const earlier of stored.slice(0, index)) await restore(earlier)
            await rm(recordOf(id), { force: true })
            throw new FileChangeError(file, error)
          }
        }
        await removeOldest()
        return { id }
      }),

    async list() {
      const changes: FileChange[] = []
      for (const id of await ids()) {
        const change = await load(id)
        if (!change) continue
        const { title, at, files } = change
        changes.push({ id, title, at, files: files.map(({ file }) => file) })
      }
      return changes
    },

    undo: (wanted) =>
      lock(async () => {
        const known = await ids()
        const id = wanted ?? known[0]
        const change = id !== undefined && known.includes(id) ? await load(id) : undefined
        if (id === undefined || change === undefined) return undefined
        const conflict: string[] = []
        for (const stored of change.files) {
          if (await wasEdited(stored)) conflict.push(stored.file)
        }
        if (conflict.length > 0) return { conflict }
        // in reverse, so that a client's file points to ours only while ours exists
        const files = change.files.toReversed()
        for (const stored of files) await restore(stored)
        await rm(recordOf(id), { force: true })
        return { restored: files.map(({ file }) => file), title: change.title }
      }),
  }

  /** Latest first. */
  async function ids(): Promise<string[]> {
    const names = await readdir(folder).catch(() => [])
    return names
      .filter((name) => /^\d+-[\da-f]+\.json$/.test(name))
      .map((name) => name.slice(0, -'.json'.length))
      .sort((a, b) => timeOf(b) - timeOf(a))
  }

  async function load(id: string): Promise<StoredChange | undefined> {
    try {
      const stored = JSON.parse(await readFile(recordOf(id), 'utf8'))
      return Array.isArray(stored?.files) ? stored : undefined
    } catch {
      return undefined
    }
  }

  async function removeOldest(): Promise<void> {
    let bytes = 0
    for (const [index, id] of (await ids()).entries()) {
      bytes += await stat(recordOf(id)).then(
        ({ size }) => size,
        () => 0,
      )
      const isTooMuch = index >= MAX_CHANGES || (index > 0 && bytes > MAX_BYTES)
      if (isTooMuch) await rm(recordOf(id), { force: true })
    }
  }
}

function timeOf(id: string | undefined): number {
  return id === undefined ? 0 : Number(id.split('-')[0])
}

async function restore({ file, before }: StoredFile): Promise<void> {
  if (before === null) await rm(file, { force: true })
  else await atomicWrite(file, Buffer.from(before, 'base64'))
}

/** Whether a file has neither its content after the change nor, because an undo was interrupted, before. */
async function wasEdited({ file, before, after }: StoredFile): Promise<boolean> {
  const now = await contentOf(file)
  if (now === undefined) return before !== null
  return hash(now) !== after && now.toString('base64') !== before
}

async function contentOf(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new FileChangeError(file, error)
  }
}

function hash(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
