import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Puts a text in the place of a file in one step: a crash leaves the old or the new one. The file
 * keeps its rights; a new one is for its owner alone, because it may hold secrets. A link stays a
 * link.
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const target = await realpath(file).catch(() => file)
  const mode = await stat(target).then(
    (found) => found.mode & 0o777,
    () => 0o600,
  )
  const draft = `${target}.${randomUUID()}.draft`
  try {
    const handle = await open(draft, 'wx', mode)
    try {
      await handle.writeFile(text)
      await handle.chmod(mode)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Copies a file beside itself and gives the name of the copy. Never writes over an earlier copy. */
export async function backUp(file: string, now: Date): Promise<string> {
  const stamp = now
    .toISOString()
    .replace(/[-:]|\..*/g, '')
    .replace('T', '-')
  for (let count = 1; ; count++) {
    const copy = `${file}.backup-${stamp}${count === 1 ? '' : `-${count}`}`
    try {
      await copyFile(file, copy, constants.COPYFILE_EXCL)
      return copy
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
