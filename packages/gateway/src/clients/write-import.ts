import type { FileChanges, FileText } from '../system/file-changes.ts'
import type { ImportPlan } from './plan-import.ts'

export interface WriteImportOptions {
  /** Our configuration file. */
  readonly file: string
  /** The new content of the clients' files. @default [] */
  readonly clientFiles?: readonly FileText[]
  /** What writes the files, so that the import can be undone. */
  readonly changes: FileChanges
}

/**
 * Carries out a plan as one change that can be undone: all files or none. Resolves to the files that were
 * written. Rejects with a `FileChangeError`.
 */
export async function writeImport(
  plan: ImportPlan,
  { file, clientFiles = [], changes }: WriteImportOptions,
): Promise<readonly string[]> {
  const title =
    clientFiles.length > 0 ? 'Import servers and replace them in clients' : 'Import servers'
  // ours first, so that no client ever points to a file that does not exist
  const files = [{ file, text: plan.text }, ...clientFiles]
  await changes.write(title, files)
  return files.map((each) => each.file)
}
