import type { Command } from './command.ts'

export const setupCommand: Command = {
  name: 'setup',
  summary: 'Set up the gateway step by step (the default in a terminal)',
  usage: '[options]',
  options: { config: { type: 'string', short: 'c' } },
  help: [
    '-c, --config FILE  file to write (default: the standard locations)',
    '',
    'Asks before each step, and lists every file before it writes one.',
  ],
  examples: ['toolsearch', 'toolsearch setup --config my.json'],
  run: async (call) => (await import('./run-setup.ts')).runSetup(call),
}
