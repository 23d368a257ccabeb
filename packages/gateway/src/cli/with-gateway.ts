import { connectAll, type OpenGateway, openGateway } from '../open-gateway.ts'
import type { CommandCall } from './command.ts'

/**
 * Runs something with every server connected, and ends them all afterwards.
 *
 * @param knowsEnough whether what is remembered will do, so that nobody has to be waited for
 */
export async function withGateway(
  call: CommandCall,
  use: (open: OpenGateway) => Promise<number>,
  knowsEnough: (open: OpenGateway) => boolean = () => false,
): Promise<number> {
  const open = await openGateway(call, 'person')
  const stop = () => void open.close().finally(() => process.exit(130))
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  try {
    const say = call.values.json ? () => {} : call.terminal.say
    if (!knowsEnough(open)) await connectAll(open, say)
    return await use(open)
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
    await open.close()
  }
}
