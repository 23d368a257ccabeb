import { afterEach, describe, expect, it } from 'vitest'
import { type OAuthFixture, oauthFixture } from './oauth-server.fixtures.ts'
import { revokeTokens } from './revoke-tokens.ts'

let remote: OAuthFixture
afterEach(() => remote.close())

const client = { client_id: 'gateway' }
const server = () => ({ name: 'mail', kind: 'http' as const, url: remote.url, headers: {} })
const tokens = (issuer?: string) => ({
  access_token: remote.issue('ann'),
  token_type: 'Bearer',
  ...(issuer !== undefined && { issuer }),
})

describe('revokeTokens', () => {
  it('revokes a token where it was issued', async () => {
    remote = await oauthFixture()
    expect(await revokeTokens(server(), { client, tokens: tokens(remote.issuer) })).toBe(true)
    expect(remote.asked).toEqual(['revoke'])
  })

  it('sends nothing to an authorization server that did not issue the token', async () => {
    remote = await oauthFixture()
    const foreign = tokens('https://login.example.com')
    expect(await revokeTokens(server(), { client, tokens: foreign })).toBe(false)
    expect(remote.asked).toEqual([])
  })

  it('does not fail if revocation is not supported, or the server is gone', async () => {
    remote = await oauthFixture()
    remote.trouble.noRevocation = true
    const signIn = { client, tokens: tokens() }
    expect(await revokeTokens(server(), signIn)).toBe(false)
    await remote.close()
    expect(await revokeTokens(server(), signIn)).toBe(false)
    expect(await revokeTokens(server(), {})).toBe(false)
  })
})
