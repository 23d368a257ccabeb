import { type Command, OK } from './command.ts'
export const completionCommand: Command = {
  name: 'completion',
  summary: 'Print a completion script for bash, zsh or fish',
  usage: 'SHELL',
  options: {},
  help: [],
  examples: [],
  run: async () => OK,
}
