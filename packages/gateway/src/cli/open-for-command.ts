import { ConfigError, type OpenGateway, openGateway } from '../open-gateway.ts'
import type { CommandCall } from './command.ts'
import { findConfigFile } from './find-config.ts'
import { UsageError } from './usage-error.ts'

export interface OpenForCommandOptions {
  readonly audience: 'model' | 'person'
  /** Whether tools will be searched. @default true */
  readonly isSearched?: boolean
  /** Whether people who sign in use the gateway, rather than the person at the command line. @default false */
  readonly hasPeople?: boolean
}

/** Opens a gateway for a command. @throws UsageError if the configuration is invalid */
export async function openForCommand(
  { values, env, terminal }: CommandCall,
  { audience, isSearched = true, hasPeople = false }: OpenForCommandOptions,
): Promise<OpenGateway> {
  try {
    const file = findConfigFile({ values, env })
    const isLocal = !hasPeople
    return await openGateway(
      { file },
      { env, audience, isSearched, isLocal, onWarning: terminal.warn ?? terminal.say },
    )
  } catch (error) {
    const isMistake =
      error instanceof ConfigError ||
      (error as { code?: unknown }).code === 'invalid_encryption_key'
    throw isMistake ? new UsageError((error as Error).message) : error
  }
}
