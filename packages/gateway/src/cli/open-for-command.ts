import { ConfigError, type OpenGateway, openGateway } from '../open-gateway.ts'
import type { CommandCall } from './command.ts'
import { findConfigFile } from './find-config.ts'
import { UsageError } from './usage-error.ts'

/** Opens a gateway for a command. @throws UsageError if the configuration is invalid */
export async function openForCommand(
  { values, env }: CommandCall,
  audience: 'model' | 'person',
): Promise<OpenGateway> {
  try {
    return await openGateway({ file: findConfigFile({ values, env }) }, { env, audience })
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message) : error
  }
}
