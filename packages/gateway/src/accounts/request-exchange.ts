import { createSecretMask } from '../config/secret-mask.ts'
import type { TokenExchangeConfig } from '../config/team-config.ts'

/** The result of one token exchange. */
export type ExchangeOutcome =
  | { readonly token: string; readonly expiresInSeconds?: number }
  | {
      /** For the person, without details of the configuration. */
      readonly explain: (server: string) => string
      /** For administrators. */
      readonly detail?: string
      /** Whether trying again may help without anybody's action. */
      readonly isTemporary: boolean
    }

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token'
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag'
const TIMEOUT_MS = 15_000

/** Error codes that mean that the person's token is not good enough, or that the person must consent. */
const ABOUT_THE_PERSON = new Set([
  'invalid_grant',
  'invalid_token',
  'interaction_required',
  'login_required',
  'consent_required',
])

/**
 * Exchanges a person's token for one that a server accepts, or with the grant `id-jag` for an assertion
 * that the server's authorization server accepts. Never rejects.
 */
export async function requestExchange(
  exchange: TokenExchangeConfig,
  subjectToken: string,
): Promise<ExchangeOutcome> {
  const oauth = await import('oauth4webapi')
  const { tokenUrl, clientId, clientSecret } = exchange
  const url = new URL(tokenUrl)
  const as = { issuer: url.origin, token_endpoint: tokenUrl }
  const client = { client_id: clientId }
  const authentication =
    clientSecret === undefined ? oauth.None() : oauth.ClientSecretBasic(clientSecret)
  const isLoopback = ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname)
  let status = 0
  try {
    const response = await oauth.genericTokenEndpointRequest(
      as,
      client,
      authentication,
      exchange.grant === 'on-behalf-of' ? JWT_BEARER : TOKEN_EXCHANGE,
      parameters(exchange, subjectToken),
      {
        signal: AbortSignal.timeout(TIMEOUT_MS),
        // secrets never travel unencrypted, except within this machine
        [oauth.allowInsecureRequests]: isLoopback,
      },
    )
    status = response.status
    if (status >= 500) return unavailable(`the token endpoint answered ${status}`)
    const result = await oauth.processGenericTokenEndpointResponse(as, client, response, {
      recognizedTokenTypes: { n_a() {} },
    })
    const { access_token, token_type, expires_in } = result
    // RFC 8693 calls the type of everything that is not an access token `N_A`
    const isAssertion = exchange.grant === 'id-jag'
    if (isAssertion && result.issued_token_type !== ID_JAG) {
      return misconfigured('the identity provider did not issue an ID-JAG')
    }
    if (token_type !== 'bearer' && !isAssertion)
      return misconfigured(`the token has the type "${token_type}"`)
    return {
      token: access_token,
      ...(expires_in !== undefined && { expiresInSeconds: expires_in }),
    }
  } catch (error) {
    if (!(error instanceof oauth.ResponseBodyError)) {
      return status >= 400 ? misconfigured(`the token endpoint answered ${status}`) : failure(error)
    }
    const { error: code, error_description: description } = error
    // Before it is cut: the start of a secret would not be recognized.
    const mask = createSecretMask([subjectToken, clientSecret ?? '']).text
    const detail = description === undefined ? code : `${code}: ${plain(mask(description))}`
    return ABOUT_THE_PERSON.has(code) ? refused(detail) : misconfigured(detail)
  }
}

function parameters(exchange: TokenExchangeConfig, token: string): Record<string, string> {
  const { audience, resource, scope, grant } = exchange
  const target = {
    ...(audience !== undefined && { audience }),
    ...(resource !== undefined && { resource }),
    ...(scope !== undefined && { scope }),
  }
  if (grant === 'on-behalf-of') {
    return { ...target, assertion: token, requested_token_use: 'on_behalf_of' }
  }
  return {
    ...target,
    subject_token: token,
    subject_token_type: exchange.subjectToken === 'id-token' ? ID_TOKEN : ACCESS_TOKEN,
    requested_token_type: grant === 'id-jag' ? ID_JAG : ACCESS_TOKEN,
  }
}

function refused(detail: string): ExchangeOutcome {
  return {
    explain: (server) =>
      `The identity provider did not accept your sign-in for ${server}. Sign in to the gateway again, or ask your administrator whether you may use ${server}.`,
    detail,
    isTemporary: false,
  }
}

function misconfigured(detail: string): ExchangeOutcome {
  return {
    explain: (server) =>
      `The identity provider refuses to issue a token for ${server}. Ask your administrator to check the settings of its token exchange.`,
    detail,
    isTemporary: false,
  }
}

function unavailable(detail: string): ExchangeOutcome {
  return {
    explain: (server) =>
      `The identity provider cannot issue a token for ${server} at the moment. Try again later.`,
    detail,
    isTemporary: true,
  }
}

/** Describes why the authorization server of an MCP server returned no token for an assertion. */
export function exchangeFailure(error: unknown, secrets: Iterable<string> = []): ExchangeOutcome {
  const { name, code, message } = error as { name?: unknown; code?: unknown; message?: unknown }
  if (name === 'OAuthError' && code !== 'server_error') {
    const { text: mask } = createSecretMask(secrets)
    const detail = plain(mask(message ? `${code}: ${message}` : `${code}`))
    return ABOUT_THE_PERSON.has(String(code)) ? refused(detail) : misconfigured(detail)
  }
  if (/MismatchError$/.test(String(name))) {
    return misconfigured('the server names another authorization server than "issuer" in "oauth"')
  }
  return failure(error)
}

function failure(error: unknown): ExchangeOutcome {
  const { name, message, cause } = error as Error & { cause?: { code?: unknown } }
  const why = name === 'TimeoutError' ? 'the token endpoint did not answer in time' : message
  const code = typeof cause?.code === 'string' ? ` (${cause.code})` : ''
  return unavailable(plain(`${why}${code}`))
}

/** Text from the identity provider, as one short line. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 300)
}
