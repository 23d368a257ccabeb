import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { SignInFailedError } from './sign-in-error.ts'

/** Waits on this machine for the browser to come back. */
export interface CallbackListener {
  /** Where the browser has to be sent. */
  readonly redirectUrl: string
  /**
   * What the browser brings back, once it comes with the state that was sent along. Whoever comes with
   * another is turned away and changes nothing.
   */
  answer(state: string): Promise<URLSearchParams>
  close(): Promise<void>
}

export interface CallbackListenerOptions {
  /** Exactly this port, under the name `localhost`, as it was registered by hand. */
  readonly fixedPort?: number | undefined
  /** Tried first: a client that registered itself did so with this one. */
  readonly likedPort?: number | undefined
}

const PATH = '/callback'
const DONE = 'You can close this page and go back to the terminal.\n'
const STRANGER = 'This is not the answer to the sign-in that is waiting here.\n'

/** Listens on loopback alone. @throws SignInFailedError if the fixed port is taken */
export async function openCallbackListener({
  fixedPort,
  likedPort,
}: CallbackListenerOptions): Promise<CallbackListener> {
  let expected: { state: string; resolve: (params: URLSearchParams) => void } | undefined
  const answerTo = (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = addressOf(request)
    const isOurs = expected !== undefined && searchParams.get('state') === expected.state
    if (request.method !== 'GET' || pathname !== PATH) reply(response, 404, 'Not here.\n')
    else if (!isOurs) reply(response, 400, STRANGER)
    else {
      reply(response, 200, DONE)
      expected?.resolve(searchParams)
      // once only
      expected = undefined
    }
  }

  const servers = await listen(answerTo, fixedPort, likedPort)
  const { port } = servers[0]!.address() as { port: number }
  return {
    redirectUrl: `http://${fixedPort === undefined ? '127.0.0.1' : 'localhost'}:${port}${PATH}`,
    answer: (state) =>
      new Promise((resolve) => {
        expected = { state, resolve }
      }),
    async close() {
      await Promise.all(
        servers.map((server) => {
          const closed = new Promise((resolve) => server.close(resolve))
          // a browser opens connections beforehand that it may never use
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
  liked: number | undefined,
): Promise<Server[]> {
  if (fixed === undefined) {
    const first = liked === undefined ? undefined : await listenOn(handler, '127.0.0.1', liked)
    const server = first ?? (await listenOn(handler, '127.0.0.1', 0))
    if (server) return [server]
    throw new SignInFailedError('Nothing can listen on 127.0.0.1 for the browser to come back to.')
  }
  const server = await listenOn(handler, '127.0.0.1', fixed)
  if (!server) {
    throw new SignInFailedError(
      `Port ${fixed}, the "callbackPort" of the configuration, is in use. End what uses it and try again.`,
    )
  }
  // a browser may understand localhost so; there are machines without
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
