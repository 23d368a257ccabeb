import { serveStdio } from '../serving/serve-stdio.ts'
import type { OpenInspector } from './open-inspector.ts'
import { listenProblem, type Served, type ToServe } from './served.ts'

/** Serves the gateway over stdio to the client that started it, and the inspector over HTTP. */
export async function servePipe(toServe: ToServe): Promise<Served> {
  const pipe = serveStdio(toServe.factory)
  const { inspector } = toServe
  const page = inspector && (await serveInspector(inspector, toServe))
  return {
    async close() {
      await Promise.all([pipe.close(), page?.close()])
    },
  }
}

/** Never rejects: the client must be served even if the inspector can't be. */
async function serveInspector(
  { handle }: OpenInspector,
  { port, call: { terminal, env } }: ToServe,
): Promise<Served | undefined> {
  const { guardedServer } = await import('../serving/http/guarded-server.ts')
  try {
    const token = env.TOOLSEARCH_TOKEN
    const server = await guardedServer(new Map(), { port, token, pages: handle })
    terminal.say(`Inspector: ${server.origin}/`)
    return server
  } catch (error) {
    terminal.say(
      `The inspector is not available. ${listenProblem(error) ?? (error as Error).message}`,
    )
    return undefined
  }
}
