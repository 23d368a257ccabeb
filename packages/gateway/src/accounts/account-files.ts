import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '../protocol/json-object.ts'
import { atomicWrite, PRIVATE_MODE } from '../system/atomic-write.ts'
import { createFolder } from '../system/create-folder.ts'
import { watchFile } from '../system/watch-file.ts'
import { withLock } from '../system/with-lock.ts'
import type { AccountKey, AccountRecord, AccountRecords } from './account-records.ts'

const FORMAT = 1

/** Stores each account in a file that only the owner of the process can read, in a folder per person. */
export function createAccountFiles(folder: string): AccountRecords {
  const folderOf = (person: string) => join(folder, hash([person]))
  const marker = join(folder, 'changed')
  const fileOf = ({ person, server, url }: AccountKey) =>
    join(folderOf(person), `${hash([server, url])}.json`)

  async function exclusively<Result>(key: AccountKey, task: () => Promise<Result>) {
    // the lock is created next to the file
    await createFolder(folderOf(key.person))
    return withLock(`${fileOf(key)}.lock.d`, task)
  }

  /** Tells other processes that something has changed. Nothing is lost if that fails. */
  async function mark(): Promise<void> {
    await atomicWrite(marker, randomUUID(), { mode: PRIVATE_MODE }).catch(() => {})
  }

  async function read(key: AccountKey): Promise<AccountRecord | undefined> {
    const record = await readRecord(fileOf(key))
    const { person, server, url } = record ?? {}
    const isSame = person === key.person && server === key.server && url === key.url
    return isSame ? record : undefined
  }

  async function recordsIn(subfolder: string): Promise<AccountRecord[]> {
    const names = await readdir(subfolder).catch(() => [])
    const files = names.filter((name) => name.endsWith('.json'))
    const records = await Promise.all(files.map((name) => readRecord(join(subfolder, name))))
    return records.filter((record) => record !== undefined)
  }

  const remove = (key: AccountKey) =>
    exclusively(key, () =>
      rm(fileOf(key)).then(
        () => mark().then(() => true),
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return false
          throw error
        },
      ),
    )

  const list = async (person: string) => {
    const records = await recordsIn(folderOf(person))
    return records.filter((record) => record.person === person).sort(byServer)
  }

  return {
    read,
    write: (record, replaces) =>
      exclusively(record, async () => {
        if ((await read(record))?.revision !== replaces) return false
        const text = JSON.stringify({ format: FORMAT, ...record })
        await atomicWrite(fileOf(record), text, { mode: PRIVATE_MODE })
        await mark()
        return true
      }),
    list,
    remove,
    async removeAll(person) {
      const removed = await Promise.all((await list(person)).map(remove))
      return removed.filter(Boolean).length
    },
    async *all() {
      const subfolders = await readdir(folder).catch(() => [])
      for (const subfolder of subfolders) yield* await recordsIn(join(folder, subfolder))
    },
    onChange: (listener) => watchFile(marker, listener).close,
  }
}

/** Undefined if there is no readable record. */
async function readRecord(file: string): Promise<AccountRecord | undefined> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const { format, ...record } = JSON.parse(text)
    return format === FORMAT && isObject(record.sealed) ? record : undefined
  } catch {
    return undefined
  }
}

function byServer(a: AccountRecord, b: AccountRecord): number {
  if (a.server !== b.server) return a.server < b.server ? -1 : 1
  return a.url < b.url ? -1 : 1
}

function hash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}
