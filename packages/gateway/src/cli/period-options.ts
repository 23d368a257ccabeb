/** Options of commands that read the history on disk. */
export const periodOptions = { since: { type: 'string' }, until: { type: 'string' } } as const
