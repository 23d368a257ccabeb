import { type Command, cachedHelp, cachedOptions } from './command.ts'

export const accessCommand: Command = {
  name: 'access',
  summary: 'Show what a person may use and why',
  usage: '[TOOL] [options]',
  options: {
    ...cachedOptions,
    as: { type: 'string' },
    email: { type: 'string' },
    group: { type: 'string', multiple: true },
    profile: { type: 'string' },
    resource: { type: 'string' },
    prompt: { type: 'string' },
    arguments: { type: 'string' },
  },
  help: [
    '--as SUBJECT       the person: a subject, "ISSUER SUBJECT" or the ID of an API key',
    '--email ADDRESS    a verified email address of the person',
    '--group GROUP      a group of the person (repeatable)',
    '--profile NAME     a profile that the person uses',
    '--arguments JSON   the arguments of a call of TOOL',
    '--resource S/URI   ask about a resource of server S instead of tools',
    '--prompt S/NAME    ask about a prompt of server S instead of tools',
    ...cachedHelp,
    'TOOL               ask about one tool only: its name, or SERVER/NAME',
  ],
  examples: [
    'toolsearch access --group engineering',
    'toolsearch access github/delete_repository --as ann --group engineering',
    `toolsearch access jira/create_issue --group support --arguments '{"project":"WEB"}'`,
  ],
  run: async (call) => (await import('./run-access.ts')).runAccess(call),
}
