import { type Command, cachedHelp, cachedOptions } from './command.ts'

export const toolsCommand: Command = {
  name: 'tools',
  summary: 'List every tool of every server',
  usage: '[TOOL…] [options]',
  options: cachedOptions,
  help: [...cachedHelp, 'TOOL               show only these tools, with all details'],
  examples: [
    'toolsearch tools',
    'toolsearch tools files__read_file',
    'toolsearch tools --json | jq length',
  ],
  run: async (call) => (await import('./run-tools.ts')).runTools(call),
}
