import type { CommandCall } from './command.ts'
import { connectAll, type OpenGateway, openGateway } from './open-gateway.ts'

/** Runs something with every server connected, and ends them all afterwards. */
export async function withGateway(
  call: CommandCall,
  use: (open: OpenGateway) => Promise<number>,
): Promise<number> {
  const open = await openGateway(call)
  const stop = () => void open.close().finally(() => process.exit(130))
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  try {
    await connectAll(open, call.values.json ? () => {} : call.terminal.say)
    return await use(open)
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
    await open.close()
  }
}
