import type { GatewayInternals } from '../open-gateway.ts'
import type { CommandCall } from './command.ts'
import { openForCommand } from './open-for-command.ts'
import { plain } from './plain.ts'

/**
 * Runs something with every server connected, and ends them all afterwards.
 *
 * @param knowsEnough whether what is remembered will do, so that nobody has to be waited for
 */
export async function withGateway(
  call: CommandCall,
  use: (open: GatewayInternals) => Promise<number>,
  knowsEnough: (open: GatewayInternals) => boolean = () => false,
): Promise<number> {
  const open = await openForCommand(call, 'person')
  const stop = () => void open.close().finally(() => process.exit(130))
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  try {
    const say = call.values.json ? () => {} : call.terminal.say
    if (!knowsEnough(open.internals)) {
      await open.ready(({ name, state, detail = '', tools }, remaining) => {
        const what = state === 'ready' ? `${tools} tools` : `${state}: ${detail}`
        say(plain(`${name}: ${what}${remaining > 0 ? ` (${remaining} to go)` : ''}`))
      })
    }
    return await use(open.internals)
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
    await open.close()
  }
}
