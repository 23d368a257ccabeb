import { connectAll, type OpenGateway, openGateway } from '../open-gateway.ts'
import type { CommandCall } from './command.ts'

/**
 * Runs a function with every server connected, and disconnects them afterwards.
 *
 * @param isCacheEnough whether the cached tools suffice, so that there is no need to connect first
 */
export async function withGateway(
  call: CommandCall,
  use: (open: OpenGateway) => Promise<number>,
  isCacheEnough: (open: OpenGateway) => boolean = () => false,
): Promise<number> {
  const open = await openGateway(call, 'person')
  const stop = () => void open.close().finally(() => process.exit(130))
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  try {
    const say = call.values.json ? () => {} : call.terminal.say
    if (!isCacheEnough(open)) await connectAll(open, say)
    return await use(open)
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
    await open.close()
  }
}
