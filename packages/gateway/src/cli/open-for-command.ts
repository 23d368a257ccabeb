import { ConfigError, type OpenGateway, openGateway } from '../open-gateway.ts'
import type { CommandCall } from './command.ts'
import { findConfigFile } from './find-config.ts'
import { UsageError } from './usage-error.ts'

/** Opens a gateway for a command. @throws UsageError if the configuration is invalid */
export async function openForCommand(
  { values, env, terminal }: CommandCall,
  audience: 'model' | 'person',
  isSearched = true,
): Promise<OpenGateway> {
  try {
    const file = findConfigFile({ values, env })
    return await openGateway({ file }, { env, audience, isSearched, onWarning: terminal.say })
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message) : error
  }
}
