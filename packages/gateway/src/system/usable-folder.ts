import { createFolder } from './create-folder.ts'

/** Creates the folder. Resolves to it, or to false after a warning if it cannot be created. */
export async function usableFolder(
  folder: string | false,
  onWarning: (message: string) => void,
): Promise<string | false> {
  if (folder === false) return false
  try {
    await createFolder(folder)
    return folder
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    onWarning(
      `The folder ${folder} cannot be created (${code}), so nothing is stored there. Set TOOLSEARCH_CACHE to another folder.`,
    )
    return false
  }
}
