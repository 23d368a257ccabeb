import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder and its parents for the owner only, unless it exists. Unlike `mkdir` with
 * `recursive`, rejects instead of trying forever if a parent cannot contain folders, such as `/proc`.
 */
export async function createFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return
    const parent = dirname(folder)
    if (code !== 'ENOENT' || parent === folder) throw error
    if (!(await exists(parent))) await createFolder(parent)
    // Another process may have created the folder or its parent in the meantime.
    await mkdir(folder, { mode: 0o700 }).catch((again: NodeJS.ErrnoException) => {
      if (again.code !== 'EEXIST') throw again
    })
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
