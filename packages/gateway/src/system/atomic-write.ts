import { randomUUID } from 'node:crypto'
import { open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createFolder } from './create-folder.ts'

/** Readable and writable by the owner only. */
export const PRIVATE_MODE = 0o600

export interface AtomicWriteOptions {
  /**
   * Permissions of the file.
   * @default those of the file it replaces, or `newFileMode` if there is none
   */
  readonly mode?: number
  /**
   * Permissions of a file that does not exist yet, reduced by the process's umask.
   * @default 0o600
   */
  readonly newFileMode?: number
}

/**
 * Replaces a file in one step, so that a crash leaves either the old or the new content. Creates the
 * folder if necessary, and writes through a symbolic link instead of replacing it.
 *
 * Rejects if the file cannot be written, and then leaves the old one untouched.
 */
export async function atomicWrite(
  file: string,
  content: string | Uint8Array,
  { mode, newFileMode = PRIVATE_MODE }: AtomicWriteOptions = {},
): Promise<void> {
  await createFolder(dirname(file))
  const target = await realpath(file).catch(() => file)
  const exactMode = mode ?? (await modeOf(target))
  const draft = `${target}.${randomUUID()}.draft`
  try {
    const handle = await open(draft, 'wx', exactMode ?? newFileMode)
    try {
      await handle.writeFile(content)
      // the umask has reduced the mode given to `open`
      if (exactMode !== undefined) await handle.chmod(exactMode)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    throw error
  }
}

function modeOf(file: string): Promise<number | undefined> {
  return stat(file).then(
    (found) => found.mode & 0o777,
    () => undefined,
  )
}
