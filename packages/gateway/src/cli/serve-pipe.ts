import { serveStdio } from '../serving/serve-stdio.ts'
import type { OpenInspector } from './open-inspector.ts'
import type { Served, ToServe } from './served.ts'

/** Serves a gateway to the client that has started us, and the inspector beside it if there is one. */
export async function servePipe(toServe: ToServe): Promise<Served> {
  const pipe = serveStdio(toServe.factory)
  const { inspector } = toServe
  const beside = inspector && (await serveInspector(inspector, toServe))
  return {
    async close() {
      await Promise.all([pipe.close(), beside?.close()])
    },
  }
}

/** That it cannot be served is no reason not to serve the client. */
async function serveInspector(
  { handle }: OpenInspector,
  { port, call: { terminal, env } }: ToServe,
): Promise<Served | undefined> {
  const { guardedServer } = await import('../serving/http/guarded-server.ts')
  try {
    const token = env.TOOLSEARCH_TOKEN
    const server = await guardedServer(new Map(), { port, token, pages: handle })
    terminal.say(`Look inside at ${server.origin}/`)
    return server
  } catch (error) {
    terminal.say(`The inspector cannot be served: ${(error as Error).message}`)
    return undefined
  }
}
