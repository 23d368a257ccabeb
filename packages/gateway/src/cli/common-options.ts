/** Options that every command has. */
export const commonOptions = {
  config: { type: 'string', short: 'c' },
  json: { type: 'boolean' },
} as const

export const commonHelp: readonly string[] = [
  '-c, --config FILE  the servers; usual places are looked at without it',
  '--json             print data instead of text',
]
