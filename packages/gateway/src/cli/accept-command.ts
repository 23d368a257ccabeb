import type { Gateway } from '../offering/gateway.ts'
import { type Command, commonHelp, commonOptions } from './command.ts'
import { count } from './format.ts'

/** Tools that wait, although the command line chose none of them. */
function noneText(gateway: Gateway): string {
  const waiting = gateway.waitingTools().filter(({ kind }) => kind === 'new').length
  if (waiting === 0) return 'Nothing waits for approval.'
  const verb = waiting === 1 ? 'waits' : 'wait'
  const them = waiting === 1 ? 'it' : 'them'
  return `No changed tools. ${count(waiting, 'new tool')} ${verb} for approval: accept ${them} by name, with --server NAME or with --all.`
}

export const acceptCommand: Command = {
  name: 'accept',
  summary: 'Approve tools that are new, changed or blocked',
  usage: '[TOOL…] [options]',
  options: {
    ...commonOptions,
    all: { type: 'boolean' },
    server: { type: 'string' },
    undo: { type: 'boolean' },
  },
  help: [
    ...commonHelp,
    'TOOL               the tools to approve (default: all changed tools)',
    '--all              approve all changed and new tools',
    '--server NAME      approve all changed and new tools of a server',
    '--undo             take back the last decision about the tools',
  ],
  examples: [
    'toolsearch accept files__read_file',
    'toolsearch accept --server files',
    'toolsearch accept files__read_file --undo',
  ],
  run: async (call) => {
    const { runDecision } = await import('./run-decision.ts')
    const { all, server } = call.values
    const isChosen = (waiting: ReturnType<Gateway['waitingTools']>[number]) => {
      if (waiting.kind === 'blocked') return false
      if (typeof server === 'string') return waiting.server === server
      return all === true || waiting.kind === 'changed'
    }
    return runDecision(call, {
      decide: (gateway, name) => gateway.acceptTool(name),
      done: 'Accepted',
      key: 'accepted',
      names: (gateway) =>
        gateway
          .waitingTools()
          .filter(isChosen)
          .map(({ name }) => name),
      none: (gateway) =>
        typeof server === 'string'
          ? `No tools of ${server} are waiting for approval.`
          : noneText(gateway),
    })
  },
}
