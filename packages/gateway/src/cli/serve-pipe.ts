import type { Inspection } from '../inspection/create-inspection.ts'
import { serveStdio } from '../serving/serve-stdio.ts'
import {
  EMPTY_TOKEN,
  listenProblem,
  type RunningServer,
  type ServeContext,
} from './serve-context.ts'

/** Serves the gateway over stdio to the client that started it, and the inspector over HTTP. */
export async function servePipe(context: ServeContext): Promise<RunningServer> {
  const pipe = serveStdio(context.factory)
  const { inspector } = context
  const page = inspector && (await serveInspector(inspector, context))
  return {
    async close() {
      await Promise.all([pipe.close(), page?.close()])
    },
  }
}

/** Never rejects: the client must be served even if the inspector can't be. */
async function serveInspector(
  { handle }: Inspection,
  { port, call: { terminal, env } }: ServeContext,
): Promise<RunningServer | undefined> {
  const { guardedServer } = await import('../serving/http/guarded-server.ts')
  try {
    const token = env.TOOLSEARCH_TOKEN
    const server = await guardedServer(new Map(), { port, token, pages: handle })
    terminal.say(`Inspector: ${server.origin}/`)
    if (token !== undefined && token.trim() === '') terminal.say(EMPTY_TOKEN)
    return server
  } catch (error) {
    terminal.say(
      `The inspector is not available. ${listenProblem(error) ?? (error as Error).message}`,
    )
    return undefined
  }
}
