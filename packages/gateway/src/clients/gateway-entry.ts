import { gatewayCommand } from '../system/gateway-command.ts'
import type { Program } from './known-client.ts'

/** How a client starts the gateway with a configuration file. */
export function gatewayProgram(file: string): Program {
  const { command, args } = gatewayCommand()
  return { command, args: [...args, 'serve', '--config', file] }
}
