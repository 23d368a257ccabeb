import type { Inspection } from '../inspection/create-inspection.ts'
import type { GuardedServer } from '../serving/http/guarded-server.ts'
import { serveStdio } from '../serving/serve-stdio.ts'
import { clientSnippet } from './client-snippet.ts'
import {
  EMPTY_TOKEN,
  listenProblem,
  type RunningServer,
  type ServeContext,
} from './serve-context.ts'

/** Serves the gateway over stdio to the client that started it, and the inspector over HTTP. */
export async function servePipe(context: ServeContext): Promise<RunningServer> {
  const pipe = serveStdio(context.factory, context.call.stdio)
  const { inspector } = context
  const page = inspector && (await serveInspector(inspector, context))
  if (context.call.stdio.input.isTTY) context.call.terminal.say(stdioHint(context))
  return {
    async close() {
      await Promise.all([pipe.close(), page?.close()])
    },
  }
}

/** For a person who runs the command in a terminal, where no client will ever answer. */
function stdioHint({ open, inspector }: ServeContext): string {
  const isInspected = inspector !== undefined
  const snippet = clientSnippet({ configFile: open.file, hasToken: false, isInspected })
  return [
    'toolsearch serve speaks MCP over stdio: an MCP client starts it and sends it messages.',
    `Add this to your client's configuration:\n${snippet}`,
    'To serve over HTTP instead, with the inspector in your browser, run toolsearch serve --http.',
    'Press Ctrl-C to stop.',
  ].join('\n')
}

/** Never rejects: the client must be served even if the inspector can't be. */
async function serveInspector(
  { handle }: Inspection,
  { port, register, call: { terminal, env } }: ServeContext,
): Promise<GuardedServer | undefined> {
  const { guardedServer } = await import('../serving/http/guarded-server.ts')
  try {
    const token = env.TOOLSEARCH_TOKEN
    const server = await guardedServer(new Map(), { port: port ?? 0, token, pages: handle })
    await register(server.origin)
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
