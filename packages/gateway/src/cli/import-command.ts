import type { Command } from './command.ts'

export const importCommand: Command = {
  name: 'import',
  summary: 'Import servers from your MCP clients into one config file',
  usage: '[options]',
  options: {
    config: { type: 'string', short: 'c' },
    json: { type: 'boolean' },
    yes: { type: 'boolean', short: 'y' },
    replace: { type: 'boolean' },
  },
  help: [
    '-c, --config FILE  file to write (default: ~/.config/toolsearch/toolsearch.json)',
    "--replace          also replace the servers in the clients' files with the gateway",
    '-y, --yes          write without confirmation',
    '--json             print the planned config as JSON, without writing anything',
  ],
  examples: ['toolsearch import', 'toolsearch import --replace'],
  run: async (call) => (await import('./run-import.ts')).runImport(call),
}
