import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheFolder } from '../system/data-folders.ts'
import type { Command, CommandCall } from './command.ts'
import { commands } from './commands.ts'

/** Where the words are typed. */
type Place = Pick<CommandCall, 'env' | 'cwd'>

/** Commands whose arguments are names of tools, or of servers. */
const TOOL_ARGUMENTS = new Set(['tools', 'call', 'accept'])
const SERVER_ARGUMENTS = new Set(['sign-in', 'sign-out', 'restart', 'remove', 'enable', 'disable'])
const TOOL_OPTIONS = new Set(['why', 'save'])
const SHELLS = ['bash', 'zsh', 'fish']

/**
 * The words that can follow, for shell completion. Reads only files: neither the configuration is
 * checked nor a server started. Never rejects.
 *
 * @param words the words after `toolsearch`; the last one is at the cursor, and may be empty
 */
export async function suggestWords(words: readonly string[], place: Place): Promise<string[]> {
  const before = words.slice(0, -1)
  const current = words.at(-1) ?? ''
  const [name] = before
  const found =
    name === undefined ? commandNames() : await wordsOf(name, before.slice(1), current, place)
  return found.filter((word) => word.startsWith(current)).sort()
}

function commandNames(): string[] {
  return [...commands.map(({ name }) => name), 'help', '--help', '--version']
}

async function wordsOf(
  name: string,
  before: readonly string[],
  current: string,
  place: Place,
): Promise<string[]> {
  if (name === 'help') return before.length === 0 ? commandNames() : []
  const command = await commands.find((each) => each.name === name)?.load()
  if (!command) return []
  const option = openOption(command, before.at(-1))
  if (option !== undefined) return TOOL_OPTIONS.has(option) ? toolNames(before, place) : []
  if (current.startsWith('-')) {
    return ['--help', ...Object.keys(command.options).map((each) => `--${each}`)]
  }
  if (name === 'completion') return before.length === 0 ? SHELLS : []
  if (TOOL_ARGUMENTS.has(name)) return toolNames(before, place)
  if (!SERVER_ARGUMENTS.has(name)) return []
  const servers = await readServers(before, place)
  return servers
    .filter(({ isDisabled }) => name === 'remove' || isDisabled === (name === 'enable'))
    .map(({ server }) => server)
    .filter(isPlainWord)
}

/** The option whose value is at the cursor. */
function openOption({ options }: Command, last: string | undefined): string | undefined {
  if (last === undefined || !last.startsWith('-') || last.includes('=')) return undefined
  const found = Object.entries(options).find(
    ([name, { short }]) => last === `--${name}` || last === `-${short}`,
  )
  return found?.[1].type === 'string' ? found[0] : undefined
}

async function toolNames(before: readonly string[], place: Place): Promise<string[]> {
  const servers = await readServers(before, place)
  const enabled = servers.filter(({ isDisabled }) => !isDisabled)
  const names = enabled.flatMap(({ tools, prefix }) => tools.map((tool) => `${prefix}${tool}`))
  return names.filter(isPlainWord)
}

/** Servers choose these names: a shell must not get anything that it could interpret. */
function isPlainWord(name: string): boolean {
  return /^[\w.-]+$/.test(name)
}

interface KnownServer {
  readonly server: string
  readonly isDisabled: boolean
  readonly tools: readonly string[]
  readonly prefix: string
}

/** The servers of the configuration, with their cached tools. */
async function readServers(before: readonly string[], place: Place): Promise<KnownServer[]> {
  try {
    const { findConfig } = await import('./find-config.ts')
    const { toolPrefix } = await import('../config/tool-prefix.ts')
    const { config } = await findConfig({ values: { config: configOption(before) }, ...place })
    const cached = await readManifests(join(cacheFolder(place.env), 'manifests'))
    return config.servers.map((server) => ({
      server: server.name,
      isDisabled: server.disabled,
      tools: cached.get(server.name) ?? [],
      prefix: server.prefix ? `${toolPrefix(server.name)}__` : '',
    }))
  } catch {
    return []
  }
}

function configOption(before: readonly string[]): string | undefined {
  const at = before.findIndex((word) => word === '-c' || word === '--config')
  const inline = before.find((word) => word.startsWith('--config='))
  return at >= 0 ? before[at + 1] : inline?.slice('--config='.length)
}

async function readManifests(folder: string): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const file of await readdir(folder)) {
    try {
      const { server, manifest } = JSON.parse(await readFile(join(folder, file), 'utf8'))
      found.set(
        server,
        manifest.tools.map((tool: { name: string }) => tool.name),
      )
    } catch {
      // Not a manifest.
    }
  }
  return found
}
