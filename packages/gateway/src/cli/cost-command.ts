import { type Command, cachedHelp, cachedOptions } from './command.ts'

export const costCommand: Command = {
  name: 'cost',
  summary: 'Show how many tokens your tools cost and how many tool search saves',
  usage: '[options]',
  options: { ...cachedOptions, tools: { type: 'boolean' } },
  help: [...cachedHelp, '--tools            also list every tool'],
  examples: ['toolsearch cost', 'toolsearch cost --tools'],
  run: async (call) => (await import('./run-cost.ts')).runCost(call),
}
