import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { addToRecord, EMPTY_RECORD, type SessionRecord } from './session-record.ts'
import { readSnapshot, type SessionSnapshot } from './session-snapshot.ts'
import type { SessionStore } from './session-store.ts'

export interface FileStoreOptions {
  /** Made if it is not there. Holds one JSON file for each conversation. */
  folder: string
  /**
   * How many conversations are kept. One more, and the tenth left alone the longest is forgotten.
   * @default 4_096
   */
  maxSessions?: number
  /**
   * How long a conversation may be left alone before it is forgotten.
   * @default Infinity
   */
  idleMs?: number
  /** @default Date.now */
  now?: () => number
  /**
   * Told when a file could not be read and was set aside. Must not throw.
   * @default console.warn
   */
  onWarning?: (message: string) => void
}

/**
 * Keeps conversations in a folder, for one process at a time. A file is written beside its
 * place and then moved there, so that a crash leaves the old one or the new one, never half of one.
 */
export function createFileStore({
  folder,
  maxSessions = 4_096,
  idleMs = Number.POSITIVE_INFINITY,
  now = Date.now,
  onWarning = console.warn,
}: FileStoreOptions): SessionStore {
  /** The last step of each conversation; the next one waits for it. */
  const pending = new Map<string, Promise<unknown>>()
  /** Files being written now: all other drafts were left behind by a crash. */
  const drafts = new Set<string>()
  let known: Set<string> | undefined
  let tidying: Promise<void> = Promise.resolve()

  return {
    read: (id) => inTurn(id, () => readRecord(id)),
    append: (id, addition) =>
      inTurn(id, async () => {
        const record = addToRecord((await readRecord(id)) ?? EMPTY_RECORD, addition)
        await writeRecord(id, record)
        return record
      }),
    write: (id, record) => inTurn(id, () => writeRecord(id, record)),
    forget: (id) => inTurn(id, () => removeFile(fileName(id))),
  }

  function inTurn<Result>(id: string, step: () => Promise<Result>): Promise<Result> {
    const result = (pending.get(id) ?? Promise.resolve()).then(step, step)
    const settled = result.catch(() => {})
    pending.set(id, settled)
    void settled.then(() => pending.get(id) === settled && pending.delete(id))
    return result
  }

  async function readRecord(id: string): Promise<SessionRecord | undefined> {
    const path = join(folder, fileName(id))
    const usedAt = await modifiedAt(path)
    if (usedAt === undefined) return undefined
    if (now() - usedAt > idleMs) {
      await removeFile(fileName(id))
      return undefined
    }
    // another session's write may push this file out at any moment
    const text = await unlessGone(readFile(path, 'utf8'))
    if (text === undefined) return undefined
    await unlessGone(touch(path))
    try {
      return readSnapshot(JSON.parse(text)).record
    } catch (error) {
      const aside = `${path}.corrupt-${now()}`
      await unlessGone(rename(path, aside))
      known?.delete(fileName(id))
      onWarning(
        `toolsearch: session "${id}" could not be read and starts empty. ` +
          `Its file was set aside as ${aside} (${(error as Error).message}).`,
      )
      return undefined
    }
  }

  async function writeRecord(id: string, record: SessionRecord): Promise<void> {
    await mkdir(folder, { recursive: true })
    const path = join(folder, fileName(id))
    const draft = `${path}.${randomUUID()}.draft`
    drafts.add(basename(draft))
    const snapshot: SessionSnapshot = { version: 1, id, record }
    const file = await open(draft, 'w')
    try {
      await file.writeFile(JSON.stringify(snapshot))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
    drafts.delete(basename(draft))
    await unlessGone(touch(path))
    tidying = tidying.catch(() => {}).then(() => makeRoom(fileName(id)))
    await tidying
  }

  async function makeRoom(written: string): Promise<void> {
    known ??= new Set(await listFiles())
    known.add(written)
    if (known.size <= maxSessions) return
    const ages: { name: string; usedAt: number }[] = []
    for (const name of known) {
      const usedAt = await modifiedAt(join(folder, name))
      if (usedAt === undefined) known.delete(name)
      else if (name !== written) ages.push({ name, usedAt })
    }
    ages.sort((a, b) => a.usedAt - b.usedAt)
    // a tenth at once, so that a full store does not look at every file for every new one
    const target = maxSessions - Math.floor(maxSessions / 10)
    for (const { name } of ages.slice(0, Math.max(known.size - target, 0))) await removeFile(name)
  }

  async function listFiles(): Promise<string[]> {
    const names = await readdir(folder)
    // a draft is what a crash in the middle of a write leaves behind
    for (const name of names) {
      if (name.endsWith('.draft') && !drafts.has(name)) await removeFile(name)
    }
    return names.filter((name) => name.endsWith('.json'))
  }

  async function removeFile(name: string): Promise<void> {
    await rm(join(folder, name), { force: true })
    known?.delete(name)
  }

  async function modifiedAt(path: string): Promise<number | undefined> {
    return (await unlessGone(stat(path)))?.mtimeMs
  }

  /** Reading counts as use, and a clock passed in must show in the file's age. */
  async function touch(path: string): Promise<void> {
    const seconds = now() / 1000
    await utimes(path, seconds, seconds)
  }
}

/** An id may be any text, of any length and case; a file name may not. */
function fileName(id: string): string {
  return `${createHash('sha256').update(Buffer.from(id, 'utf16le')).digest('hex').slice(0, 32)}.json`
}

/** Undefined in place of an error that says the file is not there. */
async function unlessGone<Result>(step: Promise<Result>): Promise<Result | undefined> {
  try {
    return await step
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
