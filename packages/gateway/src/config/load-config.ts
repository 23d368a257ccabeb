import { readFile, stat } from 'node:fs/promises'
import { type ReadConfigOptions, type ReadConfigResult, readConfig } from './read-config.ts'

/** Reads a configuration from its file. Never rejects: a file that cannot be read is a problem too. */
export async function loadConfig(
  file: string,
  { env }: Pick<ReadConfigOptions, 'env'>,
): Promise<ReadConfigResult> {
  const read = await readConfigFile(file)
  return 'text' in read ? readConfig(read.text, { file, env }) : refuse(file, read.error)
}

/** The text of a file, or why there is none. */
export async function readConfigFile(
  file: string,
): Promise<{ readonly text: string } | { readonly error: NodeJS.ErrnoException }> {
  try {
    // a pipe or a device might never end
    if (!(await stat(file)).isFile()) throw Object.assign(new Error(), { code: 'EISDIR' })
    return { text: await readFile(file, 'utf8') }
  } catch (error) {
    return { error: error as NodeJS.ErrnoException }
  }
}

/** The problem that a file which cannot be read is. */
export function refuse(file: string, error: NodeJS.ErrnoException): ReadConfigResult {
  const [message, fix] = ADVICE[error.code ?? ''] ?? [
    `The file cannot be read (${error.code ?? error.message}).`,
    'Give the name of a file that can be read.',
  ]
  return { problems: [{ file, line: 1, column: 1, message, fix }] }
}

const ADVICE: Readonly<Record<string, readonly [message: string, fix: string]>> = {
  ENOENT: ['There is no such file.', 'Check the name, or run `toolsearch import` to make one.'],
  EACCES: ['The file may not be read.', 'Give yourself the right to read it.'],
  EISDIR: ['This is not a file.', 'Give the name of the file in it.'],
  ERR_FS_FILE_TOO_LARGE: ['The file is far too large.', 'Is this the right file?'],
  ERR_STRING_TOO_LONG: ['The file is far too large.', 'Is this the right file?'],
}
