import { type Command, commonHelp, commonOptions } from './command.ts'

export const blockCommand: Command = {
  name: 'block',
  summary: 'Hide tools from models until you accept them',
  usage: 'TOOL… [options]',
  options: { ...commonOptions, undo: { type: 'boolean' } },
  help: [
    ...commonHelp,
    'TOOL               the tools to block, even if they change again',
    '--undo             take back the last decision about the tools',
  ],
  examples: ['toolsearch block files__delete_file', 'toolsearch block files__delete_file --undo'],
  run: async (call) => {
    const { runDecision } = await import('./run-decision.ts')
    return runDecision(call, {
      decide: (gateway, name) => gateway.blockTool(name),
      done: 'Blocked',
      key: 'blocked',
    })
  },
}
