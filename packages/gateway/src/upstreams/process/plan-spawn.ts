import { existsSync } from 'node:fs'
import { win32 } from 'node:path'
import { batchLine } from './batch-line.ts'

export interface SpawnWish {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd?: string | undefined
  /** The environment of the child. */
  readonly env: Readonly<Record<string, string>>
}

/** What to give to `spawn`, without a shell. */
export interface SpawnPlan {
  readonly command: string
  readonly args: readonly string[]
  /** The arguments are a command line already. */
  readonly windowsVerbatimArguments: boolean
}

/** Where we are. */
export interface SpawnPlace {
  readonly platform?: NodeJS.Platform
  readonly exists?: (file: string) => boolean
}

/**
 * How a program is to be started.
 *
 * Windows starts nothing but `.exe` files by itself: `npx` and most of what npm installs are batch
 * files there, which Node refuses to start (CVE-2024-27980) because `cmd.exe` would read their
 * arguments. They are run by `cmd.exe` with arguments it reads as nothing else.
 *
 * @throws when there is no safe way to give an argument to a batch file
 */
export function planSpawn(
  { command, args, cwd, env }: SpawnWish,
  { platform = process.platform, exists = existsSync }: SpawnPlace = {},
): SpawnPlan {
  const asItIs = { command, args, windowsVerbatimArguments: false }
  if (platform !== 'win32') return asItIs
  const get = (name: string) =>
    Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1] ?? ''
  const file = candidates(command, cwd, get).find(exists)
  // what is nowhere to be found is told by `spawn`
  if (file === undefined) return asItIs
  if (!/\.(cmd|bat)$/i.test(file)) return { ...asItIs, command: file }
  const root = get('SYSTEMROOT')
  return {
    command: root === '' ? 'cmd.exe' : win32.join(root, 'System32', 'cmd.exe'),
    args: ['/d', '/s', '/v:off', '/e:on', '/c', batchLine(file, args)],
    windowsVerbatimArguments: true,
  }
}

/** Files that a command may mean, the likeliest first. A folder we happen to be in is not searched. */
function candidates(
  command: string,
  cwd: string | undefined,
  get: (name: string) => string,
): string[] {
  const endings = (get('PATHEXT') || '.COM;.EXE;.BAT;.CMD').split(';').filter(Boolean)
  const isWhole = endings.some((ending) => command.toLowerCase().endsWith(ending.toLowerCase()))
  const names = isWhole ? [command] : endings.map((ending) => `${command}${ending.toLowerCase()}`)
  if (/[\\/]/.test(command)) return names.map((name) => win32.resolve(cwd ?? '', name))
  const folders = get('PATH').split(';').filter(Boolean)
  return folders.flatMap((folder) => names.map((name) => win32.join(folder, name)))
}
