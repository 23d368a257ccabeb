import { ConfigError, type OpenGateway, openGateway } from '../open-gateway.ts'
import type { Report } from '../system/report.ts'
import type { CommandCall, Terminal } from './command.ts'
import { UsageError } from './command-errors.ts'
import { findConfigFile } from './find-config.ts'

export interface OpenForCommandOptions {
  readonly audience: 'model' | 'person'
  /** Whether tools will be searched. @default true */
  readonly isSearched?: boolean
  /** Whether people who sign in use the gateway, rather than the person at the command line. @default false */
  readonly hasPeople?: boolean
  /** Whether the command reports itself that PostgreSQL cannot be used. @default false */
  readonly areRecordsOptional?: boolean
}

/** Opens a gateway for a command. @throws UsageError if the configuration is invalid */
export async function openForCommand(
  call: CommandCall,
  {
    audience,
    isSearched = true,
    hasPeople = false,
    areRecordsOptional = false,
  }: OpenForCommandOptions,
): Promise<OpenGateway> {
  const file = findConfigFile(call)
  try {
    const isLocal = !hasPeople
    return await openGateway(
      { file },
      {
        env: call.env,
        audience,
        isSearched,
        isLocal,
        areRecordsOptional,
        onWarning: reportTo(call.terminal),
      },
    )
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(error.message)
    const { code, message } = error as { code?: unknown; message: string }
    if (code !== 'invalid_encryption_key') throw error
    const { settingPlace } = await import('../config/setting-place.ts')
    const place = await settingPlace(file, ['toolsearch', 'encryption'])
    throw new UsageError(`${place}: ${message}`)
  }
}

function reportTo({ say, warn = say, fail = warn }: Terminal): Report {
  const writers = { info: say, warn, error: fail }
  return (message, severity = 'warn') => writers[severity](message)
}
