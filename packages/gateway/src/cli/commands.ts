import type { Command } from './command.ts'

/** A command as the overview shows it. The rest is loaded when the command runs. */
export interface CommandEntry extends Pick<Command, 'name' | 'summary'> {
  /**
   * Loads the command. Its module must import what only `run` needs dynamically, so that help and
   * shell completion stay fast.
   */
  load(): Promise<Command>
}

/** Every command, in the order of the overview. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'setup',
    summary: 'Set up the gateway step by step (the default in a terminal)',
    load: async () => (await import('./setup-command.ts')).setupCommand,
  },
  {
    name: 'serve',
    summary: 'Serve all your servers as one MCP server, over stdio or HTTP',
    load: async () => (await import('./serve-command.ts')).serveCommand,
  },
  {
    name: 'search',
    summary: 'Search for tools as an agent would',
    load: async () => (await import('./search-command.ts')).searchCommand,
  },
  {
    name: 'learned',
    summary: 'Show what searches have learned from use, and forget it',
    load: async () => (await import('./learned-command.ts')).learnedCommand,
  },
  {
    name: 'tools',
    summary: 'List every tool of every server',
    load: async () => (await import('./tools-command.ts')).toolsCommand,
  },
  {
    name: 'skills',
    summary: 'List the skills of servers and folders, and read them',
    load: async () => (await import('./skills-command.ts')).skillsCommand,
  },
  {
    name: 'cost',
    summary: 'Show how many tokens your tools cost and how many tool search saves',
    load: async () => (await import('./cost-command.ts')).costCommand,
  },
  {
    name: 'call',
    summary: 'Call a tool',
    load: async () => (await import('./call-command.ts')).callCommand,
  },
  {
    name: 'doctor',
    summary: 'Connect to every server and diagnose problems',
    load: async () => (await import('./doctor-command.ts')).doctorCommand,
  },
  {
    name: 'review',
    summary: 'Show the tools and skills that wait for approval, and what changed',
    load: async () => (await import('./review-command.ts')).reviewCommand,
  },
  {
    name: 'accept',
    summary: 'Approve tools that are new, changed or blocked',
    load: async () => (await import('./accept-command.ts')).acceptCommand,
  },
  {
    name: 'block',
    summary: 'Hide tools from models until you accept them',
    load: async () => (await import('./block-command.ts')).blockCommand,
  },
  {
    name: 'access',
    summary: 'Show what a person may use and why',
    load: async () => (await import('./access-command.ts')).accessCommand,
  },
  {
    name: 'sign-in',
    summary: 'Sign in to a server (OAuth)',
    load: async () => (await import('./sign-in-command.ts')).signInCommand,
  },
  {
    name: 'sign-out',
    summary: 'Sign out of a server',
    load: async () => (await import('./sign-out-command.ts')).signOutCommand,
  },
  {
    name: 'accounts',
    summary: "List and remove people's accounts, and encrypt them with a new key",
    load: async () => (await import('./accounts-command.ts')).accountsCommand,
  },
  {
    name: 'keys',
    summary: 'Create, list and revoke API keys for machines',
    load: async () => (await import('./keys-command.ts')).keysCommand,
  },
  {
    name: 'import',
    summary: 'Import servers from your MCP clients into one config file',
    load: async () => (await import('./import-command.ts')).importCommand,
  },
  {
    name: 'add',
    summary: 'Add a server to the config file',
    load: async () => (await import('./add-command.ts')).addCommand,
  },
  {
    name: 'remove',
    summary: 'Remove a server from the config file',
    load: async () => (await import('./remove-command.ts')).removeCommand,
  },
  {
    name: 'enable',
    summary: 'Turn a server on',
    load: async () => (await import('./enable-command.ts')).enableCommand,
  },
  {
    name: 'disable',
    summary: 'Turn a server off, but keep its entry',
    load: async () => (await import('./disable-command.ts')).disableCommand,
  },
  {
    name: 'restart',
    summary: 'Restart a server in a running gateway',
    load: async () => (await import('./restart-command.ts')).restartCommand,
  },
  {
    name: 'undo',
    summary: 'Restore the files that the latest change wrote',
    load: async () => (await import('./undo-command.ts')).undoCommand,
  },
  {
    name: 'eval',
    summary: 'Measure search quality with your own queries',
    load: async () => (await import('./eval-command.ts')).evalCommand,
  },
  {
    name: 'live',
    summary: 'Show agent sessions and recent activity in a running gateway',
    load: async () => (await import('./live-command.ts')).liveCommand,
  },
  {
    name: 'misses',
    summary: 'Show missed searches and tools never found in a running gateway',
    load: async () => (await import('./misses-command.ts')).missesCommand,
  },
  {
    name: 'history',
    summary: 'Show past searches and calls, from disk',
    load: async () => (await import('./history-command.ts')).historyCommand,
  },
  {
    name: 'audit',
    summary: 'Show who used what: calls, searches, denials and administrative actions',
    load: async () => (await import('./audit-command.ts')).auditCommand,
  },
  {
    name: 'completion',
    summary: 'Print a completion script for bash, zsh or fish',
    load: async () => (await import('./completion-command.ts')).completionCommand,
  },
]
