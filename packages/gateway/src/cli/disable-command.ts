import type { Command } from './command.ts'
import { switchCommand } from './switch-server.ts'

export const disableCommand: Command = switchCommand(
  'disable',
  'Turn a server off, but keep its entry',
)
