import { constants } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import type { FileChanges, FileText } from '../system/file-changes.ts'
import type { ImportPlan } from './plan-import.ts'

export interface WriteImportOptions {
  /** Our configuration file. */
  readonly file: string
  /** The new content of the clients' files. @default [] */
  readonly clientFiles?: readonly FileText[]
  /** What writes the files, so that the import can be undone. */
  readonly changes: FileChanges
  /** @default () => new Date() */
  readonly now?: () => Date
}

export interface WrittenFile {
  readonly file: string
  /** The copy of the old file, for files of clients. */
  readonly backup?: string
}

/**
 * Carries out a plan as one change that can be undone: all files or none. Also copies each client's file,
 * because only the latest changes can be undone. Rejects with a `FileChangeError`.
 */
export async function writeImport(
  plan: ImportPlan,
  { file, clientFiles = [], changes, now = () => new Date() }: WriteImportOptions,
): Promise<readonly WrittenFile[]> {
  const written: WrittenFile[] = [{ file }]
  for (const client of clientFiles) {
    written.push({ file: client.file, backup: await backUp(client.file, now()) })
  }
  const title =
    clientFiles.length > 0 ? 'Import servers and replace them in clients' : 'Import servers'
  // ours first, so that no client ever points to a file that does not exist
  await changes.write(title, [{ file, text: plan.text }, ...clientFiles])
  return written
}

/** Copies a file to a new name in the same folder and returns that name. Never overwrites an earlier backup. */
async function backUp(file: string, now: Date): Promise<string> {
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
