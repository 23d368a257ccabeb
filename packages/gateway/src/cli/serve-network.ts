import { costReport } from '../inspection/cost-report.ts'
import { serveHttp } from '../serving/http/serve-http.ts'
import { clientSnippet } from './client-snippet.ts'
import type { Served, ToServe } from './served.ts'
import { UsageError } from './usage-error.ts'

/** Serves a gateway over HTTP, and says where. @throws UsageError when it cannot listen there */
export async function serveNetwork(toServe: ToServe): Promise<Served> {
  const { open, factory, inspector, port, call } = toServe
  const { gateway, servers, fleet, file } = open
  const { values, terminal, env } = call
  const token = env.TOOLSEARCH_TOKEN
  const service = await serveHttp(factory, {
    ...(typeof values.host === 'string' && { host: values.host }),
    port,
    token,
    gateway,
    servers,
    pages: inspector?.handle,
  }).catch((error: unknown) => {
    throw cannotListen(error) ?? error
  })
  terminal.say(`Serving ${fleet.upstreams.size} servers at ${service.url}`)
  terminal.say(`Look inside at ${new URL('/', service.url)}`)
  const hasToken = token !== undefined
  const snippet = clientSnippet({ configFile: file, url: service.url, hasToken })
  terminal.say(`Put this into your client:\n${snippet}`)
  return {
    close() {
      const saved = costReport(gateway.toolSearch.catalogue.tools(), gateway.listTools())
      terminal.say(`Saved ${saved.savedPerTurn} tokens in every request.`)
      return service.close()
    },
  }
}

/** What a person can do something about. */
function cannotListen(error: unknown): UsageError | undefined {
  const { code, syscall, message } = error as NodeJS.ErrnoException
  if (code === 'missing_token') return new UsageError(message)
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return undefined
  const fix = code === 'EADDRINUSE' ? 'Something listens there already: give' : 'Give'
  return new UsageError(`It cannot be served there (${message}). ${fix} another --port or --host.`)
}
