import type { GatewayInternals } from '../open-internals.ts'
import { isObject } from '../protocol/json-object.ts'
import { type Command, commonHelp, commonOptions, FAILED, OK } from './command.ts'
import { UsageError } from './command-errors.ts'
import { plainJson, plainLines } from './plain.ts'
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
    if (call.args.length > 2) {
      throw new UsageError('Pass the arguments as one JSON object, in quotes.')
    }
    if (name === undefined) throw new UsageError('Specify a tool: toolsearch call TOOL.')
    const { CALL } = await import('../offering/meta-tools/call-tools.ts')
    if (name === CALL) throw new UsageError(`Specify the tool itself instead of ${CALL}.`)
    const { isSkillName } = await import('../skills/skill-names.ts')
    if (isSkillName(name)) {
      throw new UsageError(`A skill cannot be called. Read it with: toolsearch skills ${name}`)
    }
    const parsed = parseArguments(json)
    const callTool = async ({ gateway }: GatewayInternals) => {
      const result = await gateway.callTool({ name, arguments: parsed })
      if (call.values.json) call.terminal.print(plainJson(result, 2))
      else {
        for (const block of result.content ?? []) {
          const text = block.type === 'text' ? String(block.text) : `[${block.type}]`
          call.terminal.print(plainLines(result.isError ? errorText(text) : text))
        }
      }
      return result.isError ? FAILED : OK
    }
    return withGateway(call, callTool, {
      connect: ({ gateway }) => (gateway.toolSearch.catalogue.has(name) ? 'none' : 'all'),
    })
  },
}

/** An error that the gateway writes as JSON, because models read it, as text for people. */
function errorText(text: string): string {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    return text
  }
  if (!isObject(answer) || typeof answer.error !== 'string') return text
  const { error, problems, closest, name } = answer
  if (Array.isArray(closest)) return error
  if (!Array.isArray(problems)) return text
  return [
    error.replace(/ Call it again with .*$/, ''),
    ...problems.map((problem) => `  ${problem}`),
    `Run toolsearch tools ${name} to see its parameters.`,
  ].join('\n')
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
