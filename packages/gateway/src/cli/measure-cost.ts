import { join } from 'node:path'
import { parse } from 'jsonc-parser'
import type { ConfigFile } from '../config/config-file.ts'
import { readConfig } from '../config/read-config.ts'
import { type CostReport, costReport } from '../inspection/cost-report.ts'
import { openGateway } from '../open-gateway.ts'
import type { CommandCall } from './command.ts'
import { count } from './format.ts'
import { plain } from './plain.ts'

export interface MeasuredCost {
  /** Undefined if no server connected. */
  readonly report?: CostReport
  /** The servers that are not part of the report, with the reasons. */
  readonly notCounted: readonly NotCounted[]
}

interface NotCounted {
  readonly name: string
  readonly reason: string
}

/**
 * Connects to every server of a configuration and measures what their tools cost. Writes nothing to disk.
 * Aborting the signal disconnects the servers. Rejects with a `ConfigError` if the configuration is invalid,
 * unless the problems concern single servers: those are not counted.
 */
export async function measureCost(
  text: string,
  { env, cwd, terminal }: Pick<CommandCall, 'env' | 'cwd' | 'terminal'>,
  signal: AbortSignal,
): Promise<MeasuredCost> {
  const { config, invalid } = withoutInvalidServers(text, { env, cwd })
  const hasServers = [config.mcpServers, config.servers].some(
    (servers) => Object.keys(servers ?? {}).length > 0,
  )
  if (!hasServers && invalid.length > 0) return { notCounted: invalid }
  const open = await openGateway(config, { env, cacheFolder: false, stateFolder: false })
  const close = () => void open.close()
  signal.addEventListener('abort', close, { once: true })
  try {
    const { fleet, gateway } = open.internals
    const failed: NotCounted[] = []
    await Promise.all(
      [...fleet.upstreams.values()].map(async (upstream) => {
        await upstream.connect()
        const { name, status, tools } = upstream
        const { state, detail = '' } = status
        const isReady = state === 'ready'
        const [reason] = detail.split('\n')
        if (!isReady) failed.push({ name, reason: reason ? `${state}: ${reason}` : state })
        if (signal.aborted) return
        terminal.say(plain(`  ${name}: ${isReady ? count(tools.length, 'tool') : state}`))
      }),
    )
    const report = costReport(gateway.toolSearch.catalogue.tools(), gateway.listTools())
    const hasTools = report.tools > 0 || failed.length === 0
    return { ...(hasTools && { report }), notCounted: [...invalid, ...failed] }
  } finally {
    signal.removeEventListener('abort', close)
    await open.close()
  }
}

/** The configuration to measure, and the servers that it leaves out because they are invalid. */
function withoutInvalidServers(
  text: string,
  { env, cwd }: Pick<CommandCall, 'env' | 'cwd'>,
): { config: ConfigFile; invalid: NotCounted[] } {
  const file = parse(text) as ConfigFile
  const read = readConfig(text, { file: join(cwd, 'toolsearch.json'), env })
  const reasons = new Map<string, string>()
  for (const { server, message, fix } of 'problems' in read ? read.problems : []) {
    if (server === undefined) continue
    const before = reasons.get(server)
    reasons.set(server, `${before === undefined ? '' : `${before} `}${message} ${fix}`)
  }
  const { embedder: _, pins, ...settings } = file.toolsearch ?? {}
  const config: ConfigFile = {
    ...file,
    ...(file.mcpServers && { mcpServers: valid(file.mcpServers) }),
    ...(file.servers && { servers: valid(file.servers) }),
    toolsearch: {
      ...settings,
      ...(Array.isArray(pins) && { pins: pins.filter((pin) => !isOfInvalid(String(pin))) }),
      // the ranking does not change what is listed, but it takes time to load
      ranking: 'words',
    },
  }
  const isOff = (name: string) =>
    [file.mcpServers, file.servers].some((servers) => servers?.[name]?.disabled === true)
  const invalid = [...reasons].flatMap(([name, reason]) => (isOff(name) ? [] : [{ name, reason }]))
  return { config, invalid }

  function valid<Servers extends object>(servers: Servers): Servers {
    const entries = Object.entries(servers).filter(([name]) => !reasons.has(name))
    return Object.fromEntries(entries) as Servers
  }

  function isOfInvalid(pin: string): boolean {
    return [...reasons.keys()].some((name) => pin.startsWith(`${name}/`))
  }
}
