import { existsSync } from 'node:fs'
import { win32 } from 'node:path'

export interface SpawnRequest {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd?: string | undefined
  /** The environment of the child process. */
  readonly env: Readonly<Record<string, string>>
}

/** The arguments for `spawn`, which must not use a shell. */
export interface SpawnPlan {
  readonly command: string
  readonly args: readonly string[]
  /** Whether the arguments are already quoted. */
  readonly windowsVerbatimArguments: boolean
}

/** The operating system; tests replace it. */
export interface SpawnPlatform {
  readonly platform?: NodeJS.Platform
  readonly exists?: (file: string) => boolean
}

/**
 * Determines how to start a program.
 *
 * Windows starts only `.exe` files directly. `npx` and most other programs that npm installs are batch
 * files there, which Node refuses to start (CVE-2024-27980) because `cmd.exe` would interpret their
 * arguments. This function runs them through `cmd.exe` and quotes the arguments so that it cannot.
 *
 * @throws if an argument cannot be passed to a batch file safely
 */
export function planSpawn(
  { command, args, cwd, env }: SpawnRequest,
  { platform = process.platform, exists = existsSync }: SpawnPlatform = {},
): SpawnPlan {
  const unchanged = { command, args, windowsVerbatimArguments: false }
  if (platform !== 'win32') return unchanged
  const get = (name: string) =>
    Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1] ?? ''
  const file = candidates(command, cwd, get).find(exists)
  // let `spawn` report a missing program
  if (file === undefined) return unchanged
  if (!/\.(cmd|bat)$/i.test(file)) return { ...unchanged, command: file }
  const root = get('SYSTEMROOT')
  return {
    command: root === '' ? 'cmd.exe' : win32.join(root, 'System32', 'cmd.exe'),
    args: ['/d', '/s', '/v:off', '/e:on', '/c', batchLine(file, args)],
    windowsVerbatimArguments: true,
  }
}

/** The files that a command may refer to, in search order. Never includes the current folder. */
function candidates(
  command: string,
  cwd: string | undefined,
  get: (name: string) => string,
): string[] {
  const extensions = (get('PATHEXT') || '.COM;.EXE;.BAT;.CMD').split(';').filter(Boolean)
  const hasExtension = extensions.some((extension) =>
    command.toLowerCase().endsWith(extension.toLowerCase()),
  )
  const names = hasExtension
    ? [command]
    : extensions.map((extension) => `${command}${extension.toLowerCase()}`)
  if (/[\\/]/.test(command)) return names.map((name) => win32.resolve(cwd ?? '', name))
  const folders = get('PATH').split(';').filter(Boolean)
  return folders.flatMap((folder) => names.map((name) => win32.join(folder, name)))
}

/**
 * The command line for `cmd.exe /d /s /v:off /e:on /c` that runs a batch file, passes the arguments on
 * unchanged, and starts nothing else.
 *
 * `cmd.exe` parses the line twice: before it starts the batch file, and when the file passes its
 * arguments on. So quotes are doubled instead of escaped by `\` or `^`, which keeps quoted text quoted
 * both times, and `%%cd:~,%` is a percent sign that starts no variable. Rust does the same since
 * CVE-2024-24576.
 *
 * @throws if an argument contains a line break or a NUL character, which cannot be passed
 */
export function batchLine(file: string, args: readonly string[]): string {
  return `"${[file, ...args].map(quote).join(' ')}"`
}

function quote(text: string): string {
  if (/[\0\r\n]/.test(text)) {
    throw new Error('An argument of a .cmd or .bat file must not contain a line break.')
  }
  const escaped = text
    // backslashes before a quote, or at the end, would escape the quote that follows
    .replace(/(\\*)"/g, '$1$1""')
    .replace(/(\\+)$/, '$1$1')
    .replaceAll('%', '%%cd:~,%')
  return `"${escaped}"`
}
