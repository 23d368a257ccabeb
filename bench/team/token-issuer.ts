import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** An issuer of access tokens on this machine, as an identity provider would be. */
export interface TokenIssuer {
  readonly issuer: string
  /** A token for a person, valid for an hour. */
  token(person: { readonly subject: string; readonly groups: readonly string[] }): Promise<string>
  close(): Promise<void>
}

/** @param audience the public address of the gateway */
export async function startTokenIssuer(audience: string): Promise<TokenIssuer> {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'bench', alg: 'ES256', use: 'sig' }
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    const body = path.startsWith('/.well-known/') ? metadata(issuer) : { keys: [jwk] }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    token: ({ subject, groups }) =>
      new SignJWT({ groups })
        .setProtectedHeader({ alg: 'ES256', kid: 'bench', typ: 'at+jwt' })
        .setIssuer(issuer)
        .setSubject(subject)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(privateKey),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function metadata(issuer: string): object {
  return {
    issuer,
    jwks_uri: `${issuer}/jwks`,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  }
}
