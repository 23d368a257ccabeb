import { type Command, commonHelp, commonOptions } from './command.ts'

export const keysCommand: Command = {
  name: 'keys',
  summary: 'Create, list and revoke API keys for machines',
  usage: 'list | create NAME | revoke ID [options]',
  options: {
    ...commonOptions,
    group: { type: 'string', multiple: true },
    role: { type: 'string' },
    allow: { type: 'string', multiple: true },
    profile: { type: 'string', multiple: true },
    expires: { type: 'string' },
    all: { type: 'boolean' },
  },
  help: [
    ...commonHelp,
    '--group NAME       create: a group of the key, for access rules; repeatable',
    '--role ROLE        create: member or administrator (default: member)',
    '--allow PATTERN    create: limit the key to tools that match, such as github/*; repeatable',
    '--profile NAME     create: limit the key to the address of a profile; repeatable',
    '--expires TIME     create: 12h, 30d, a date or never (default: 90d)',
    '--all              list: include keys that have expired or were revoked',
  ],
  examples: [
    'toolsearch keys create nightly-build --group ci --expires 30d',
    'toolsearch keys list',
    'toolsearch keys revoke x3k9qp2m7c4t',
  ],
  run: async (call) => (await import('./run-keys.ts')).runKeys(call),
}
