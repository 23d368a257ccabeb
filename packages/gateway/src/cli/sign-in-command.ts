import { type Command, commonHelp, commonOptions } from './command.ts'

export const signInCommand: Command = {
  name: 'sign-in',
  summary: 'Sign in to a server (OAuth)',
  usage: 'SERVER [options]',
  options: { ...commonOptions, 'no-open': { type: 'boolean' }, timeout: { type: 'string' } },
  help: [
    ...commonHelp,
    '--no-open          print the URL without opening it in the browser',
    '--timeout SECONDS  how long to wait for the sign-in (default: 300)',
  ],
  examples: ['toolsearch sign-in linear', 'toolsearch sign-in linear --no-open'],
  run: async (call) => (await import('./run-sign-in.ts')).runSignIn(call),
}
