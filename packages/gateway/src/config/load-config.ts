import { readFile, stat } from 'node:fs/promises'
import { type ReadConfigOptions, type ReadConfigResult, readConfig } from './read-config.ts'

/** Reads a configuration from a file. Never rejects: an unreadable file is reported as a problem. */
export async function loadConfig(
  file: string,
  options: Omit<ReadConfigOptions, 'file'>,
): Promise<ReadConfigResult> {
  const read = await readConfigFile(file)
  return 'text' in read ? readConfig(read.text, { file, ...options }) : unreadable(file, read.error)
}

/** The text of a file, or the error that occurred while reading it. */
export async function readConfigFile(
  file: string,
): Promise<{ readonly text: string } | { readonly error: NodeJS.ErrnoException }> {
  try {
    // reading a pipe or a device might never end
    if (!(await stat(file)).isFile()) throw Object.assign(new Error(), { code: 'EISDIR' })
    return { text: await readFile(file, 'utf8') }
  } catch (error) {
    return { error: error as NodeJS.ErrnoException }
  }
}

/** Describes a file that cannot be read as a problem. */
export function unreadable(file: string, error: NodeJS.ErrnoException): ReadConfigResult {
  const [message, fix] = ADVICE[error.code ?? ''] ?? [
    `The file cannot be read (${error.code ?? error.message}).`,
    'Pass the path of a readable file.',
  ]
  return { problems: [{ file, line: 1, column: 1, message, fix }] }
}

const ADVICE: Readonly<Record<string, readonly [message: string, fix: string]>> = {
  ENOENT: [
    'The file does not exist.',
    'Check the path, or run `toolsearch import` to create the file.',
  ],
  EACCES: ['You do not have permission to read the file.', 'Change its permissions.'],
  EISDIR: ['This is not a regular file.', 'Pass the path of the configuration file.'],
  ERR_FS_FILE_TOO_LARGE: ['The file is too large.', 'Check that this is the right file.'],
  ERR_STRING_TOO_LONG: ['The file is too large.', 'Check that this is the right file.'],
}
