import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLocalJWKSet, jwtVerify } from 'jose'
import type { IdentityProvider } from '../../../../testing/services/start-identity-provider.ts'

/** The token endpoint of an identity provider that exchanges its own access tokens. */
export interface ExchangeServer {
  readonly tokenUrl: string
  /** The parameters of each request. */
  readonly requests: Record<string, string>[]
  /** What it answers instead of a token. */
  trouble: { status?: number; body?: object; headers?: Record<string, string> } | undefined
  /** Creates the assertion of a person for another authorization server (ID-JAG). */
  assertion: ((subject: string) => string) | undefined
  /** @default 600 */
  expiresIn: number | undefined
  close(): Promise<void>
}

export interface ExchangeServerOptions {
  /** Issues the subject tokens. */
  readonly provider: IdentityProvider
  /** The audience of the subject tokens. */
  readonly audience: () => string
  readonly client: { readonly id: string; readonly secret: string }
  /** Creates the token of a person. */
  readonly issue: (subject: string) => string
}

export async function startExchangeServer(options: ExchangeServerOptions): Promise<ExchangeServer> {
  const { provider, audience, client, issue } = options
  const requests: Record<string, string>[] = []

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const params = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()))
    requests.push(params)
    const send = (status: number, body: object, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(body))
    if (server.trouble) {
      const { status = 400, body = {}, headers } = server.trouble
      send(status, body, headers)
      return
    }
    if (!isClient(request.headers.authorization, client)) {
      send(401, { error: 'invalid_client' }, { 'www-authenticate': 'Basic' })
      return
    }
    const isOnBehalfOf = params.grant_type === 'urn:ietf:params:oauth:grant-type:jwt-bearer'
    const subject = isOnBehalfOf ? params.assertion : params.subject_token
    try {
      const keys = createLocalJWKSet({ keys: [...provider.keys] })
      const { payload } = await jwtVerify(subject ?? '', keys, {
        issuer: provider.issuer,
        audience: audience(),
      })
      if (params.requested_token_type === 'urn:ietf:params:oauth:token-type:id-jag') {
        send(200, {
          access_token: server.assertion?.(payload.sub!),
          issued_token_type: params.requested_token_type,
          token_type: 'N_A',
        })
        return
      }
      send(200, {
        access_token: issue(payload.sub!),
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        token_type: 'Bearer',
        ...(server.expiresIn !== undefined && { expires_in: server.expiresIn }),
      })
    } catch {
      send(400, { error: 'invalid_grant', error_description: 'The token\nis not valid.' })
    }
  }

  const http = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const server: ExchangeServer = {
    tokenUrl: `http://127.0.0.1:${(http.address() as AddressInfo).port}/token`,
    requests,
    trouble: undefined,
    assertion: undefined,
    expiresIn: 600,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
  return server
}

/** Both parts are encoded like the values of a form (RFC 6749, section 2.3.1). */
function isClient(header: string | undefined, client: ExchangeServerOptions['client']): boolean {
  const encoded = Buffer.from(header?.replace(/^Basic /, '') ?? '', 'base64').toString()
  const [id, secret] = encoded.split(':').map((part) => new URLSearchParams(`v=${part}`).get('v'))
  return id === client.id && secret === client.secret
}
