import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readdir, readFile, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isObject } from '../is-object.ts'
import type { SessionRecord } from './session-record.ts'
import { readSnapshot, type SessionSnapshot } from './session-snapshot.ts'

/** A record and its version. Version 0 has no record: the session is new. */
interface Version {
  readonly version: number
  readonly record?: SessionRecord
  /** The number of the last write of each recent writer that this version contains. */
  readonly writes: Readonly<Record<string, number>>
}

/** The files of one session: `7.json` is version 7 of its record, and the highest version counts. */
export interface VersionFolder {
  read(): Promise<Version>
  /** Resolves to false, without any change, if `base` is no longer the latest version. */
  write(base: Version, record: SessionRecord): Promise<boolean>
  /** Removes one version, and the folder if nothing else is in it. */
  remove(version: number): Promise<void>
}

export interface VersionFolderOptions {
  readonly path: string
  readonly id: string
  /** Identifies the caller, which makes one write at a time. */
  readonly writer: string
  /** Must rename or delete the file. */
  readonly onUnreadable: (file: string, error: Error) => Promise<void>
}

/** Older drafts are left over from a crash. Another process may still be writing a younger one. */
const ABANDONED_MS = 3_600_000
/** How many writers a version remembers. */
const MAX_WRITERS = 32

/** Creates versions by compare-and-swap: a hard link fails if its name exists. */
export function openVersions({
  path,
  id,
  writer,
  onUnreadable,
}: VersionFolderOptions): VersionFolder {
  const fileOf = (version: number) => join(path, `${version}.json`)

  return { read, write, remove }

  async function read(): Promise<Version> {
    for (;;) {
      const version = await latestVersion()
      if (version === 0) return { version, writes: {} }
      const text = await ignoreMissing(readFile(fileOf(version), 'utf8'))
      // A newer version replaced it. The text is then not reliable: a slow writer may have used the
      // free number for a version that it takes back.
      if (text === undefined || (await latestVersion()) !== version) continue
      try {
        const json: unknown = JSON.parse(text)
        const { record } = readSnapshot(json)
        return { version, record, writes: readWrites(json) }
      } catch (error) {
        await onUnreadable(`${version}.json`, error as Error)
      }
    }
  }

  async function write(base: Version, record: SessionRecord): Promise<boolean> {
    const version = base.version + 1
    const writes = countWrite(base.writes, writer)
    const draft = join(path, `${randomUUID()}.draft`)
    // outside of the next step: a folder that cannot be created is an error, not a reason to retry
    await makeFolder(path)
    const isLinked = await ignoreMissing(createVersion(version, draft, { record, writes }))
    if (!isLinked) return false
    const files = await listFiles()
    const versions = versionsIn(files)
    const highest = Math.max(0, ...versions)
    // A higher version was either based on this one and contains its write, or existed before it: then
    // this version number was only free because a newer version had replaced it.
    const isCurrent =
      highest > version
        ? (await read()).writes[writer] === writes[writer]
        : // if the base is missing, the session was deleted before this write
          highest < version || base.version === 0 || versions.includes(base.version)
    if (!isCurrent) {
      await rm(fileOf(version), { force: true })
      return false
    }
    for (const older of versions) if (older < version) await rm(fileOf(older), { force: true })
    await removeAbandoned(files)
    return true
  }

  /** Resolves to false if the version exists. */
  async function createVersion(
    version: number,
    draft: string,
    content: { record: SessionRecord; writes: Version['writes'] },
  ): Promise<boolean> {
    try {
      const snapshot: SessionSnapshot = { version: 2, id, record: content.record }
      const file = await open(draft, 'wx')
      try {
        await file.writeFile(JSON.stringify({ ...snapshot, writes: content.writes }))
        await file.sync()
      } finally {
        await file.close()
      }
      await link(draft, fileOf(version))
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw error
    } finally {
      await rm(draft, { force: true })
    }
  }

  async function remove(version: number): Promise<void> {
    await rm(fileOf(version), { force: true })
    // fails if another process has written to the session in the meantime
    await rmdir(path).catch(() => {})
  }

  async function latestVersion(): Promise<number> {
    return Math.max(0, ...versionsIn(await listFiles()))
  }

  async function listFiles(): Promise<readonly string[]> {
    return (await ignoreMissing(readdir(path))) ?? []
  }

  async function removeAbandoned(files: readonly string[]): Promise<void> {
    for (const name of files.filter((file) => file.endsWith('.draft'))) {
      const draft = join(path, name)
      const created = await ignoreMissing(stat(draft))
      if (created && Date.now() - created.mtimeMs > ABANDONED_MS) await rm(draft, { force: true })
    }
  }
}

/** Like `mkdir` with `recursive`, which never ends if a parent keeps disappearing or cannot exist. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (code !== 'ENOENT' || dirname(path) === path) throw error
    await makeFolder(dirname(path))
    await mkdir(path).catch((again: NodeJS.ErrnoException) => {
      if (again.code !== 'EEXIST') throw again
    })
  }
}

/** Resolves to undefined if the file does not exist. */
export async function ignoreMissing<Result>(step: Promise<Result>): Promise<Result | undefined> {
  try {
    return await step
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function versionsIn(files: readonly string[]): number[] {
  return files.filter((file) => /^\d+\.json$/.test(file)).map((file) => Number.parseInt(file, 10))
}

function readWrites(json: unknown): Version['writes'] {
  return isObject(json) && isObject(json.writes) ? (json.writes as Record<string, number>) : {}
}

/** Keeps the most recent writers, so that the file does not grow with every process. */
function countWrite(writes: Version['writes'], writer: string): Record<string, number> {
  const { [writer]: count = 0, ...others } = writes
  return Object.fromEntries([...Object.entries(others).slice(1 - MAX_WRITERS), [writer, count + 1]])
}
