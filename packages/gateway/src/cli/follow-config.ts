import type { NewAuditEntry } from '../audit/audit-log.ts'
import { formatProblem } from '../config/config-problem.ts'
import type { GatewayConfig } from '../config/gateway-config.ts'
import { watchConfig } from '../config/watch-config.ts'
import type { GatewayInternals } from '../open-internals.ts'
import type { CommandCall } from './command.ts'
import { UsageError } from './command-errors.ts'

const HAS_ERRORS = 'The configuration file has errors. The previous configuration stays in effect.'

export interface FollowedConfig {
  /** The current settings: those of the file, overridden by the command line. */
  readonly current: GatewayConfig
  close(): void
}

/**
 * Applies the settings of the command line to an open gateway, and reloads its file on every edit.
 *
 * @param isEditing whether somebody edits the file in the inspector now, which records who it is
 */
export function followConfig(
  open: GatewayInternals,
  call: CommandCall,
  isEditing: () => boolean,
): FollowedConfig {
  const { gateway, fleet, file } = open
  const { values, terminal, env } = call
  const warn = terminal.warn ?? terminal.say
  const approve = readApprove(values.approve)
  const settings = (config: GatewayConfig) =>
    approve === undefined ? config : { ...config, approve }
  let current = settings(open.config)
  if (current !== open.config) gateway.configure(current)
  /** Who has edited the file is not known. */
  const record = (entry: Pick<NewAuditEntry, 'outcome' | 'error' | 'detail'>) =>
    open.operations().then(
      (operations) =>
        operations?.audit?.record({
          kind: 'admin',
          person: 'file',
          action: 'config.reload',
          ...entry,
        }),
      () => {},
    )
  const watch = watchConfig(
    file,
    (change) => {
      if (change.kind === 'changed') {
        current = settings(change.config)
        gateway.configure(current)
        void fleet.apply(change.config.servers)
        if (!isEditing()) record({ outcome: 'ok', detail: { ...change.settings } })
        return
      }
      const places = change.problems.map(({ line }) => line)
      record({ outcome: 'failed', error: HAS_ERRORS, detail: { lines: places.slice(0, 20) } })
      warn(HAS_ERRORS)
      for (const problem of change.problems) warn(formatProblem(problem))
    },
    { config: open.config, env },
  )
  return {
    get current() {
      return current
    },
    close: watch.close,
  }
}

/** @throws UsageError */
function readApprove(value: unknown): GatewayConfig['approve'] | undefined {
  if (value === undefined || value === 'off' || value === 'changed' || value === 'new') return value
  throw new UsageError(`Invalid value "${value}" for --approve: use off, changed or new.`)
}
