import { isPersonal } from '../accounts/account-servers.ts'
import { costReport } from '../inspection/cost-report.ts'
import { serveHttp } from '../serving/http/serve-http.ts'
import { usableToken } from '../serving/http/usable-token.ts'
import { clientSnippet } from './client-snippet.ts'
import { UsageError } from './command-errors.ts'
import { count } from './format.ts'
import { DEFAULT_PORT, listenOnFreePort } from './listen-on-free-port.ts'
import {
  EMPTY_TOKEN,
  listenProblem,
  type RunningServer,
  type ServeContext,
} from './serve-context.ts'

/** Serves the gateway over HTTP and prints its URL. @throws UsageError if it can't listen */
export async function serveNetwork(context: ServeContext): Promise<RunningServer> {
  const { open, factory, inspector, port, call, clientNote, hadClient, register, log } = context
  const { gateway, servers, fleet, file, state, records, replicas } = open
  const { values, terminal, env } = call
  const token = env.TOOLSEARCH_TOKEN
  const identity = await open.identity()
  const requests = (await open.operations())?.requests
  const listen = (port: number) =>
    serveHttp(factory, {
      ...(typeof values.host === 'string' && { host: values.host }),
      port,
      token,
      identity,
      gateway,
      servers,
      state,
      isStored: records.postgres?.database.isAvailable,
      replicas,
      pages: async (...request) =>
        (await open.accounts()?.api(...request)) ?? inspector?.handle(...request),
      ...requests,
      onRefused(refused) {
        requests?.onRefused?.(refused)
        const { message: reason, ...where } = refused
        log?.warn('sign-in refused', { event: 'sign-in', ...where, reason })
      },
    })
  const listening = port === undefined ? listenOnFreePort(listen) : listen(port)
  const service = await listening.catch((error: unknown) => {
    const problem = listenProblem(error)
    throw problem === undefined ? error : new UsageError(problem)
  })
  const { port: actual, origin } = new URL(service.url)
  await register(origin)
  if (port === undefined && actual !== String(DEFAULT_PORT)) {
    terminal.say(`Port ${DEFAULT_PORT} is in use, serving on ${actual}.`)
  }
  // Servers with credentials of people start when somebody uses them.
  const all = fleet.upstreams.size + open.config.servers.filter(isPersonal).length
  terminal.say(`Serving ${count(all, 'server')} at ${service.url}`)
  // People reach a gateway that they sign in to by its public address.
  const url = identity ? new URL('/mcp', identity.url).href : service.url
  terminal.say(`Inspector: ${new URL('/', url)}`)
  const hasToken = usableToken(token) !== undefined
  if (token !== undefined && !hasToken && !identity) terminal.say(EMPTY_TOKEN)
  const snippet = clientSnippet({ configFile: file, url, hasToken })
  terminal.say(clientNote ?? `Add this to your client's configuration:\n${snippet}`)
  return {
    async drain(options) {
      const { running } = service
      if (running > 0) {
        terminal.say(`Waiting for ${count(running, 'request')}. Press Ctrl-C again to stop now.`)
      }
      await service.drain(options)
    },
    close() {
      if (hadClient()) {
        const { catalogue } = gateway.toolSearch
        const { savedPerTurn } = costReport(catalogue.tools(), gateway.listTools())
        if (savedPerTurn > 0) terminal.say(`Saved ${count(savedPerTurn, 'token')} per request.`)
      }
      return service.close()
    },
  }
}
