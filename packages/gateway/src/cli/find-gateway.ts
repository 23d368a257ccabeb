import { runningFolder } from '../system/data-folders.ts'
import { type RunningGateway, runningGateways } from '../system/running-gateways.ts'
import { CommandFailure, UsageError } from './command-errors.ts'
import { type ConfigCall, findConfigFile } from './find-config.ts'

/**
 * The URL of the gateway that a command asks: that of `--url`, the only one that is running, or the one
 * with the same config file.
 *
 * @param advice what else to do if no gateway is running
 * @throws CommandFailure if there is none
 * @throws UsageError if there are several
 */
export async function findGateway(call: ConfigCall, advice = ''): Promise<string> {
  const { url } = call.values
  if (typeof url === 'string') {
    if (URL.canParse(url) && /^https?:/.test(url)) return url
    throw new UsageError(`Invalid --url "${url}": use a URL such as http://127.0.0.1:7777.`)
  }
  const running = await runningGateways(runningFolder(call.env))
  const [first] = running
  if (first === undefined) {
    throw new CommandFailure(
      'No gateway is running. Start one with toolsearch serve --http, or specify the URL of a gateway on another machine with --url.\n' +
        `A gateway that serves a client over stdio is visible only with toolsearch serve --inspect.${advice}`,
    )
  }
  if (running.length === 1) return first.url
  const file = configFileOf(call)
  const own = running.filter(({ configFile }) => configFile === file)
  if (own.length === 1) return own[0]!.url
  throw new UsageError(
    `${running.length} gateways are running. Choose one with --url:\n${running.map(describe).join('\n')}`,
  )
}

function describe({ url, configFile, startedAt }: RunningGateway): string {
  const at = new Date(startedAt).toLocaleString('en-GB')
  return `  --url ${url}  (${configFile}, started ${at})`
}

function configFileOf(call: ConfigCall): string | undefined {
  try {
    return findConfigFile(call)
  } catch {
    // There is no config file here.
    return undefined
  }
}
