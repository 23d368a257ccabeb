import { type Command, commonHelp, commonOptions } from './command.ts'

export const learnedCommand: Command = {
  name: 'learned',
  summary: 'Show what searches have learned from use, and forget it',
  usage: 'list | forget [options]',
  options: {
    ...commonOptions,
    tool: { type: 'string' },
    person: { type: 'string' },
    all: { type: 'boolean' },
  },
  help: [
    ...commonHelp,
    '--tool NAME        only uses of this tool, by the name that agents see',
    '--person ID        only uses of this person; "local" is the person at this machine',
    '--all              forget: everything',
  ],
  examples: [
    'toolsearch learned',
    'toolsearch learned forget --tool github__create_issue',
    'toolsearch learned forget --all',
  ],
  run: async (call) => (await import('./run-learned.ts')).runLearned(call),
}
