import type { GatewayInternals } from '../open-gateway.ts'
import { type Command, commonHelp, commonOptions, FAILED, OK } from './command.ts'
import { plainJson, plainLines } from './plain.ts'
import { UsageError } from './usage-error.ts'
import { withGateway } from './with-gateway.ts'

export const callCommand: Command = {
  name: 'call',
  summary: 'Call a tool',
  usage: 'TOOL [ARGUMENTS] [options]',
  options: commonOptions,
  help: [...commonHelp, 'ARGUMENTS          a JSON object (default: {})'],
  examples: ['toolsearch call files__list_directory \'{"path":"/tmp"}\''],
  async run(call) {
    const [name, json = '{}'] = call.args
    if (name === undefined) throw new UsageError('Specify a tool: toolsearch call TOOL.')
    const { CALL } = await import('../offering/meta-tools.ts')
    if (name === CALL) throw new UsageError(`Specify the tool itself instead of ${CALL}.`)
    const parsed = parseArguments(json)
    const callTool = async ({ gateway }: GatewayInternals) => {
      const result = await gateway.callTool({ name, arguments: parsed })
      if (call.values.json) call.terminal.print(plainJson(result, 2))
      else {
        for (const block of result.content ?? []) {
          call.terminal.print(
            block.type === 'text' ? plainLines(String(block.text)) : `[${block.type}]`,
          )
        }
      }
      return result.isError ? FAILED : OK
    }
    return withGateway(call, callTool, {
      connect: ({ gateway }) => (gateway.toolSearch.catalogue.has(name) ? 'none' : 'all'),
    })
  },
}

function parseArguments(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>
    }
  } catch {
    // Invalid JSON gets the same message as JSON of another type.
  }
  throw new UsageError(`The arguments must be a JSON object, but are: ${json}`)
}
