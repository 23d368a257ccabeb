import { parse } from 'jsonc-parser'
import type { ConfigFile } from '../config/config-file.ts'
import { type CostReport, costReport } from '../inspection/cost-report.ts'
import { openGateway } from '../open-gateway.ts'
import type { CommandCall } from './command.ts'
import { count } from './format.ts'

export interface MeasuredCost {
  readonly report: CostReport
  /** The servers that did not connect. */
  readonly failed: readonly string[]
}

/**
 * Connects to every server of a configuration and measures what their tools cost. Writes nothing to disk.
 * Aborting the signal disconnects the servers. Rejects with a `ConfigError` if the configuration is invalid.
 */
export async function measureCost(
  text: string,
  { env, terminal }: Pick<CommandCall, 'env' | 'terminal'>,
  signal: AbortSignal,
): Promise<MeasuredCost> {
  const { embedder: _, ...settings } = (parse(text) as ConfigFile).toolsearch ?? {}
  // the ranking does not change what is listed, but it takes time to load
  const config: ConfigFile = { ...parse(text), toolsearch: { ...settings, ranking: 'words' } }
  const open = await openGateway(config, { env, cacheFolder: false, stateFolder: false })
  const close = () => void open.close()
  signal.addEventListener('abort', close, { once: true })
  try {
    const { fleet, gateway } = open.internals
    const failed: string[] = []
    await Promise.all(
      [...fleet.upstreams.values()].map(async (upstream) => {
        await upstream.connect()
        const { name, status, tools } = upstream
        const isReady = status.state === 'ready'
        if (!isReady) failed.push(name)
        if (signal.aborted) return
        const outcome = isReady ? count(tools.length, 'tool') : `${status.state}: ${status.detail}`
        terminal.say(`  ${name}: ${outcome}`)
      }),
    )
    const report = costReport(gateway.toolSearch.catalogue.tools(), gateway.listTools())
    return { report, failed }
  } finally {
    signal.removeEventListener('abort', close)
    await open.close()
  }
}
