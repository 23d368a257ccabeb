import type { Command } from './command.ts'
import { switchCommand } from './switch-server.ts'

export const enableCommand: Command = switchCommand('enable', 'Turn a server on')
