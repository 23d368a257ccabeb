import { existsSync } from 'node:fs'
import { checkServer } from '../config/check-server.ts'
import { toolPrefix } from '../config/tool-prefix.ts'
import { schemaUrl, typedCommand } from '../system/gateway-command.ts'
import { type CommandCall, OK, type OptionValue } from './command.ts'
import { UsageError } from './command-errors.ts'
import { configFlag, defaultConfigFile } from './default-config-file.ts'
import { openConfigFile } from './edit-config-file.ts'
import { findConfigFile } from './find-config.ts'
import { plain } from './plain.ts'
import { urlMistake } from './url-mistake.ts'

export async function runAdd(call: CommandCall): Promise<number> {
  const { args, values, terminal, env } = call
  const [name, ...target] = args
  if (name === undefined || target.length === 0) {
    throw new UsageError('Specify a name, and a command after "--" or a URL.')
  }
  const mistake = call.hasSeparator ? undefined : urlMistake(target)
  if (mistake !== undefined) throw new UsageError(mistake)
  const entry = readEntry(target, values)
  const file = configFile(call)
  const problem = checkServer(name, entry, { file, env })
  if (problem !== undefined) throw new UsageError(problem)
  const config = await openConfigFile(file, env, newConfig())
  const prefix = toolPrefix(name).toLowerCase()
  const taken = [...config.servers.keys()].find((each) => toolPrefix(each).toLowerCase() === prefix)
  if (taken !== undefined) {
    throw new UsageError(
      `${file} already has a server "${taken}". Choose another name, or remove it first: ${typedCommand()} remove ${taken}`,
    )
  }
  const isNew = !existsSync(file)
  await config.edit(`Add ${name}`, [{ path: [config.key, name], value: entry }])
  terminal.print(plain(`Added ${name} to ${file}${isNew ? ' (new file)' : ''}.`))
  await config.sayNext(terminal)
  if ('url' in entry) {
    terminal.say(
      `If it requires a sign-in: ${typedCommand()} sign-in ${name}${configFlag(file, env)}`,
    )
  }
  return OK
}

/** The file of `--config` or the standard locations, even if it does not exist yet. */
function configFile(call: CommandCall): string {
  try {
    return findConfigFile(call)
  } catch (error) {
    if (error instanceof UsageError) return defaultConfigFile(call.env)
    throw error
  }
}

function newConfig(): string {
  return `${JSON.stringify({ $schema: schemaUrl(), mcpServers: {} }, null, 2)}\n`
}

function readEntry(target: readonly string[], values: CommandCall['values']): object {
  const { transport } = values
  const env = readPairs(values.env, '=', '--env', 'KEY=VALUE')
  const headers = readPairs(values.header, ':', '--header', "'Key: value'")
  const [first = '', ...rest] = target
  if (/^https?:\/\//i.test(first) && rest.length === 0) {
    if (env) throw new UsageError('--env has no effect on a URL. Use --header.')
    if (transport !== undefined && transport !== 'http' && transport !== 'sse') {
      throw new UsageError(`Invalid --transport "${transport}": use http or sse.`)
    }
    return { ...(transport && { type: transport }), url: first, ...(headers && { headers }) }
  }
  if (headers) throw new UsageError('--header has no effect on a command. Use --env.')
  if (transport !== undefined) throw new UsageError('--transport has no effect on a command.')
  return { command: first, ...(rest.length > 0 && { args: rest }), ...(env && { env }) }
}

function readPairs(
  values: OptionValue,
  separator: string,
  option: string,
  example: string,
): Record<string, string> | undefined {
  if (!Array.isArray(values)) return undefined
  return Object.fromEntries(
    values.map((pair: string) => {
      const at = pair.indexOf(separator)
      if (at <= 0) throw new UsageError(`Invalid ${option} "${pair}": write ${example}.`)
      const value = pair.slice(at + 1)
      return [pair.slice(0, at).trim(), separator === ':' ? value.trim() : value]
    }),
  )
}
