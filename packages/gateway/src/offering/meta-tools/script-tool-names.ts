import type { Effect } from '../../access/effect.ts'

export const RUN = 'run_script'
export const RUN_BY_EFFECT: Readonly<Record<Effect, string>> = {
  read: 'run_read_script',
  write: 'run_write_script',
  destructive: 'run_destructive_script',
}

/** Whether this meta tool runs a script. */
export function isScriptTool(name: string): boolean {
  return name === RUN || Object.values(RUN_BY_EFFECT).includes(name)
}
