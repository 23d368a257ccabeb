import { type Command, commonHelp, commonOptions } from './command.ts'

export const accountsCommand: Command = {
  name: 'accounts',
  summary: "List and remove people's accounts, and encrypt them with a new key",
  usage: 'list | remove ISSUER SUBJECT | reencrypt [options]',
  options: commonOptions,
  help: commonHelp,
  examples: [
    'toolsearch accounts list',
    'toolsearch accounts remove https://login.example.com alice',
    'toolsearch accounts reencrypt',
  ],
  run: async (call) => (await import('./run-accounts.ts')).runAccounts(call),
}
