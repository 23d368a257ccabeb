import { type Command, commonHelp, commonOptions } from './command.ts'
import { periodOptions } from './period-options.ts'

export const historyCommand: Command = {
  name: 'history',
  summary: 'Show past searches and calls, from disk',
  usage: '[TEXT] [options]',
  options: {
    ...commonOptions,
    ...periodOptions,
    kind: { type: 'string' },
    server: { type: 'string' },
    client: { type: 'string' },
    limit: { type: 'string', short: 'n' },
  },
  help: [
    ...commonHelp,
    '--since TIME       start of the period: 15m, 24h, 7d or a date (default: 7d)',
    '--until TIME       end of the period (default: now)',
    '--kind KIND        search, call, error or miss',
    '--server NAME      only calls to this server, and searches that found its tools',
    '--client NAME      only this client',
    '-n, --limit N      number of entries to show (default: 50; all with --json)',
  ],
  examples: [
    'toolsearch history',
    'toolsearch history --since 24h --kind error',
    'toolsearch history invoice --since 30d --json',
  ],
  run: async (call) => (await import('./run-history.ts')).runHistory(call),
}
