import { type Command, commonHelp, commonOptions } from './command.ts'

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Connect to every server and diagnose problems',
  usage: '[options]',
  options: commonOptions,
  help: commonHelp,
  examples: ['toolsearch doctor', 'toolsearch doctor --json'],
  run: async (call) => (await import('./run-doctor.ts')).runDoctor(call),
}
