import { readFileSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** A program and its arguments. */
export interface GatewayCommand {
  readonly command: string
  readonly args: readonly string[]
}

export interface RunningProgram {
  /** The file that implements the command `toolsearch`. */
  readonly main: string
  /** The path that it was started with, `process.argv[1]`. */
  readonly startedAs: string
  /** Node.js options, which source files need to run. */
  readonly execArgv: readonly string[]
}

const isSource = import.meta.url.endsWith('.ts')

const running: RunningProgram = {
  // this file is in src/system, dist/system, or part of the bundle in dist/command
  main: fileURLToPath(
    new URL(isSource ? '../cli/main.ts' : '../../dist/command/main.js', import.meta.url),
  ),
  startedAs: process.argv[1] ?? '',
  execArgv: process.execArgv,
}

/**
 * How other programs can start this gateway: with npx if it was installed by npx from the registry,
 * otherwise by its path, which also works for a checkout, a tarball and a version that is not published.
 */
export function gatewayCommand({ main, execArgv }: RunningProgram = running): GatewayCommand {
  if (isFromRegistry(main)) return { command: 'npx', args: ['-y', 'toolsearch-gateway'] }
  const options = main.endsWith('.ts') ? execArgv : []
  return { command: 'node', args: [...options, main] }
}

/** How a person types the command, for hints. */
export function typedCommand(program: RunningProgram = running): string {
  const { startedAs } = program
  const isOnPath = !startedAs.includes(`${sep}node_modules${sep}`)
  if (isOnPath && /^toolsearch(-gateway)?$/.test(basename(startedAs))) return basename(startedAs)
  if (isFromRegistry(program.main)) return 'npx toolsearch-gateway'
  return program.main.endsWith('.ts') ? 'toolsearch' : `node ${quoted(program.main)}`
}

function quoted(path: string): string {
  return /[^\w./\\:@+-]/.test(path) ? JSON.stringify(path) : path
}

/** Where editors find the JSON Schema of the configuration file. */
export function schemaUrl({ main }: RunningProgram = running): string {
  if (isFromRegistry(main)) return 'https://unpkg.com/toolsearch-gateway/config-schema.json'
  return pathToFileURL(join(dirname(main), '..', '..', 'config-schema.json')).href
}

/** npx installs into a folder with a package.json that says where the package came from. */
function isFromRegistry(main: string): boolean {
  const folder = /^(.*[\\/]_npx[\\/][^\\/]+)[\\/]node_modules[\\/]/.exec(main)?.[1]
  if (folder === undefined) return false
  try {
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return /^[\^~]?\d/.test(String(dependencies['toolsearch-gateway']))
  } catch {
    return false
  }
}
