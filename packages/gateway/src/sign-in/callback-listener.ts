import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { SignInFailedError } from './sign-in-error.ts'

/** A local HTTP server that receives the browser's redirect. */
export interface CallbackListener {
  /** The redirect URL to register and to send to the authorization server. */
  readonly redirectUrl: string
  /**
   * Resolves with the parameters of the redirect that carries this state. Rejects requests with any
   * other state and keeps waiting.
   */
  waitForRedirect(state: string): Promise<URLSearchParams>
  close(): Promise<void>
}

export interface CallbackListenerOptions {
  /** The port to use on `localhost`, for a client that was registered manually. */
  readonly fixedPort?: number | undefined
  /** The port to try first, because the gateway has registered itself with it. */
  readonly preferredPort?: number | undefined
}

const PATH = '/callback'
const DONE = 'You can close this page and return to the terminal.\n'
const WRONG_STATE = 'This response does not belong to the current sign-in.\n'

/** Starts listening, on loopback only. @throws SignInFailedError if the fixed port is in use */
export async function openCallbackListener({
  fixedPort,
  preferredPort,
}: CallbackListenerOptions): Promise<CallbackListener> {
  let expected: { state: string; resolve: (params: URLSearchParams) => void } | undefined
  const handler = (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = addressOf(request)
    const isOurs = expected !== undefined && searchParams.get('state') === expected.state
    if (request.method !== 'GET' || pathname !== PATH) reply(response, 404, 'Not found.\n')
    else if (!isOurs) reply(response, 400, WRONG_STATE)
    else {
      reply(response, 200, DONE)
      expected?.resolve(searchParams)
      // accept the redirect only once
      expected = undefined
    }
  }

  const servers = await listen(handler, fixedPort, preferredPort)
  const { port } = servers[0]!.address() as { port: number }
  return {
    redirectUrl: `http://${fixedPort === undefined ? '127.0.0.1' : 'localhost'}:${port}${PATH}`,
    waitForRedirect: (state) =>
      new Promise((resolve) => {
        expected = { state, resolve }
      }),
    async close() {
      await Promise.all(
        servers.map((server) => {
          const closed = new Promise((resolve) => server.close(resolve))
          // browsers open speculative connections that they may never use
          server.closeAllConnections()
          return closed
        }),
      )
    },
  }
}

function addressOf({ url = '/' }: IncomingMessage): URL {
  const base = 'http://localhost'
  return URL.canParse(url, base) ? new URL(url, base) : new URL(base)
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

async function listen(
  handler: Handler,
  fixed: number | undefined,
  preferred: number | undefined,
): Promise<Server[]> {
  if (fixed === undefined) {
    const first =
      preferred === undefined ? undefined : await listenOn(handler, '127.0.0.1', preferred)
    const server = first ?? (await listenOn(handler, '127.0.0.1', 0))
    if (server) return [server]
    throw new SignInFailedError('Could not listen on 127.0.0.1 for the redirect from the browser.')
  }
  const server = await listenOn(handler, '127.0.0.1', fixed)
  if (!server) {
    throw new SignInFailedError(
      `Port ${fixed}, the "callbackPort" in the configuration, is already in use. Stop the program that uses it and try again.`,
    )
  }
  // a browser may resolve localhost to ::1, which not every machine has
  const other = await listenOn(handler, '::1', fixed)
  return other ? [server, other] : [server]
}

function listenOn(handler: Handler, host: string, port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer(handler)
    server.once('error', () => resolve(undefined))
    server.listen(port, host, () => resolve(server))
  })
}

function reply(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  })
  response.end(text)
}
