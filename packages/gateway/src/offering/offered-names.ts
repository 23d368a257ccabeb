import type { GatewayConfig } from '../config/gateway-config.ts'
import { toolPrefix } from '../config/tool-prefix.ts'
import { META_TOOLS } from './meta-tools/meta-tools.ts'

/** The names under which the gateway offers tools and prompts. They depend on nothing but the configuration. */
export interface OfferedNames {
  /** The name of a server's tool or prompt. */
  nameOf(server: string, name: string): string
  /** The other server that a name without a prefix seems to belong to, if any. */
  ownerOf(server: string, name: string): string | undefined
}

const SEPARATOR = '__'
/** As models and people may confuse them. */
const OWN_NAMES = new Set([...META_TOOLS.keys()].map(plain))

/**
 * No two servers can have the same name: a prefix contains no `__`, so a name with a prefix belongs to
 * exactly one server. A server without a prefix gets its prefix wherever the plain name would belong to
 * the gateway or to another server of the configuration, even if that server is not connected.
 */
export function offeredNames({ servers }: Pick<GatewayConfig, 'servers'>): OfferedNames {
  const withoutPrefix = new Set(servers.filter(({ prefix }) => !prefix).map(({ name }) => name))
  const prefixes = new Map(servers.map(({ name }) => [name, toolPrefix(name)]))
  // Some clients ignore case when they compare tool names.
  const byPrefix = new Map([...prefixes].map(([name, prefix]) => [prefix.toLowerCase(), name]))

  function ownerOf(server: string, name: string): string | undefined {
    const end = name.indexOf(SEPARATOR)
    const owner = end > 0 ? byPrefix.get(name.slice(0, end).toLowerCase()) : undefined
    return owner === server ? undefined : owner
  }

  return {
    nameOf(server, name) {
      const clean = cleanName(name)
      const needsPrefix =
        !withoutPrefix.has(server) ||
        OWN_NAMES.has(plain(clean)) ||
        ownerOf(server, clean) !== undefined
      return needsPrefix
        ? `${prefixes.get(server) ?? toolPrefix(server)}${SEPARATOR}${clean}`
        : clean
    },
    ownerOf(server, name) {
      return withoutPrefix.has(server) ? ownerOf(server, cleanName(name)) : undefined
    },
  }
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** Clients accept only these characters in tool names. */
function cleanName(name: string): string {
  return name.replace(/[^A-Za-z0-9_.-]+/g, '_')
}

/** What a tool of a server should be called. */
export interface WantedName {
  readonly original: string
  readonly wanted: string
  /** Whether `wanted` is neither chosen in the configuration nor changed by the gateway. */
  readonly isOwn: boolean
}

/**
 * Gives each tool of one server a different name, in the order of the tools. Of several tools with the
 * same name, the one that has it by itself keeps it. The others are numbered in the order of their
 * original names, so the result does not depend on the order in which the server lists them.
 */
export function assignNames(tools: readonly WantedName[]): string[] {
  const byWanted = new Set(tools.map(({ wanted }) => wanted))
  if (byWanted.size === tools.length) return tools.map(({ wanted }) => wanted)
  const taken = new Set<string>()
  /** The numbers that the next tools with the same name may get. */
  const free = new Map<string, number>()
  const names = new Map<WantedName, string>()
  const inOrder = [...tools].sort(
    (a, b) => Number(b.isOwn) - Number(a.isOwn) || (a.original < b.original ? -1 : 1),
  )
  for (const tool of inOrder) {
    const { wanted } = tool
    let name = wanted
    let number = free.get(wanted) ?? 2
    for (; taken.has(name); number++) name = `${wanted}_${number}`
    free.set(wanted, number)
    taken.add(name)
    names.set(tool, name)
  }
  return tools.map((tool) => names.get(tool)!)
}
