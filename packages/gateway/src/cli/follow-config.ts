import { formatProblem } from '../config/config-problem.ts'
import type { GatewayConfig } from '../config/gateway-config.ts'
import { watchConfig } from '../config/watch-config.ts'
import type { GatewayInternals } from '../open-gateway.ts'
import type { CommandCall } from './command.ts'

export interface FollowedConfig {
  /** What is in force, by the file and the command line. */
  readonly current: GatewayConfig
  close(): void
}

/** Has an open gateway do what the command line says, and from now on what its file says. */
export function followConfig(open: GatewayInternals, call: CommandCall): FollowedConfig {
  const { gateway, fleet, file } = open
  const { values, terminal, env } = call
  const settings = (config: GatewayConfig) =>
    values['pin-definitions'] ? { ...config, pinDefinitions: true } : config
  let current = settings(open.config)
  if (current !== open.config) gateway.configure(current)
  const watch = watchConfig(
    file,
    (change) => {
      if (change.kind === 'changed') {
        current = settings(change.config)
        gateway.configure(current)
        void fleet.apply(change.config.servers)
        return
      }
      terminal.say('The configuration was edited but cannot be used; the old one stays.')
      for (const problem of change.problems) terminal.say(formatProblem(problem))
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
