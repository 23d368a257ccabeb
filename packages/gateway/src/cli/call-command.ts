import { CALL } from '../offering/meta-tools.ts'
import type { GatewayInternals } from '../open-gateway.ts'
import { type Command, NOT_WELL, OK } from './command.ts'
import { commonHelp, commonOptions } from './common-options.ts'
import { UsageError } from './usage-error.ts'
import { withGateway } from './with-gateway.ts'

export const callCommand: Command = {
  name: 'call',
  summary: 'calls a tool',
  usage: "TOOL ['{…arguments as JSON…}'] [options]",
  options: commonOptions,
  help: commonHelp,
  examples: ['toolsearch call files__list_directory \'{"path":"/tmp"}\''],
  async run(call) {
    const [name, json = '{}'] = call.words
    if (name === undefined) throw new UsageError('Say which tool: toolsearch call TOOL.')
    if (name === CALL) throw new UsageError('Give the name of the tool itself.')
    const given = readArguments(json)
    const callIt = async ({ gateway }: GatewayInternals) => {
      const result = await gateway.callTool({ name, arguments: given })
      if (call.values.json) call.terminal.print(JSON.stringify(result, null, 2))
      else {
        for (const block of result.content ?? []) {
          call.terminal.print(block.type === 'text' ? String(block.text) : `[${block.type}]`)
        }
      }
      return result.isError ? NOT_WELL : OK
    }
    return withGateway(call, callIt, ({ gateway }) => gateway.toolSearch.catalogue.has(name))
  },
}

function readArguments(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>
    }
  } catch {
    // told below, with what is wanted
  }
  throw new UsageError(`The arguments are not a JSON object: ${json}`)
}
