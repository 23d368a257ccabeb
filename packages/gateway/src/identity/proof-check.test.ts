import { DpopSession } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type IdentityProvider,
  startIdentityProvider,
} from '../../../../testing/services/start-identity-provider.ts'
import { createMemoryState } from '../state/memory-state.ts'
import { createIdentity } from './create-identity.ts'
import type { Identity } from './identity.ts'
import { createIdentityStores } from './identity-stores.ts'
import { personId } from './person.ts'

const url = 'https://gateway.example'
const address = `${url}/mcp`
let provider: IdentityProvider
beforeAll(async () => {
  provider = await startIdentityProvider()
})
afterAll(() => provider.close())

/** A token that is bound to a key, and the session that has the key. */
async function bound() {
  const session = await DpopSession.create()
  const token = await provider.sign({ aud: url, cnf: { jkt: session.thumbprint } })
  const proof = (changes: Partial<Parameters<typeof session.buildProof>[0]> = {}) =>
    session.buildProof({ htm: 'POST', htu: address, accessToken: token, ...changes })
  return { token, proof }
}

async function open(now = Date.now): Promise<Identity> {
  const issuer = {
    issuer: provider.issuer,
    algorithms: ['RS256'],
    groupsClaim: 'groups',
    requiredScopes: [],
  }
  const config = {
    url,
    issuers: [issuer],
    administrators: [],
    clockSkewSeconds: 5,
    apiKeys: false,
  }
  return createIdentity(config, {
    stores: createIdentityStores(createMemoryState()),
    onWarning: () => {},
    now,
  })
}

const send = async (identity: Identity, authorization: string, dpop?: string, more = {}) =>
  identity.authenticate({
    headers: { authorization, ...(dpop !== undefined && { dpop }) },
    path: '/mcp',
    method: 'POST',
    ...more,
  })

const refused = (message: string) => ({
  refusal: {
    status: 401,
    message: expect.stringContaining(message),
    headers: { 'www-authenticate': expect.stringContaining('DPoP error="invalid_dpop_proof"') },
    credential: { cause: 'proof' },
  },
})

describe('a token that is bound to a key', () => {
  it('is accepted with a proof, each of which can be used once', async () => {
    const identity = await open()
    const { token, proof } = await bound()
    const first = await proof()
    const accepted = { person: { id: personId(provider.issuer, 'ann') } }
    expect(await send(identity, `DPoP ${token}`, first)).toMatchObject(accepted)
    expect(await send(identity, `DPoP ${token}`, await proof())).toMatchObject(accepted)
    expect(await send(identity, `DPoP ${token}`, first)).toMatchObject(refused('used before'))
    // a stream whose credentials are checked again is still the same request
    const repeated = { isRepeated: true }
    expect(await send(identity, `DPoP ${token}`, first, repeated)).toMatchObject(accepted)
  })

  it('is refused without a proof', async () => {
    const identity = await open()
    const { token, proof } = await bound()
    expect(await send(identity, `Bearer ${token}`)).toMatchObject(refused('bound to a key'))
    const asBearer = await send(identity, `Bearer ${token}`, await proof())
    expect(asBearer).toMatchObject(refused('bound to a key'))
    expect(await send(identity, `DPoP ${token}`)).toMatchObject(refused('exactly one'))
    const two = `${await proof()}, ${await proof()}`
    expect(await send(identity, `DPoP ${token}`, two)).toMatchObject(refused('invalid'))
  })

  it('is refused with the proof of another request, token or key', async () => {
    const identity = await open()
    const { token, proof } = await bound()
    const other = await bound()
    const cases: [string, string][] = [
      [await proof({ htm: 'GET' }), 'another request'],
      [await proof({ htu: `${url}/mcp/p/finance` }), 'another request'],
      [await proof({ htu: 'https://elsewhere.example/mcp' }), 'another request'],
      [await proof({ accessToken: other.token }), 'another token'],
      [await other.proof({ accessToken: token }), 'another key'],
      ['x.y.z', 'invalid'],
    ]
    for (const [sent, message] of cases) {
      expect(await send(identity, `DPoP ${token}`, sent)).toMatchObject(refused(message))
    }
  })

  it('is refused with an old proof', async () => {
    let now = Date.now()
    const identity = await open(() => now)
    const { token, proof } = await bound()
    const old = await proof()
    now += 70_000
    expect(await send(identity, `DPoP ${token}`, old)).toMatchObject(refused('too old'))
  })
})

describe('a token that is not bound to a key', () => {
  it('is not accepted as if it were', async () => {
    const identity = await open()
    const { proof } = await bound()
    const token = await provider.sign({ aud: url })
    expect(await send(identity, `DPoP ${token}`, await proof())).toMatchObject(
      refused('not bound to a key'),
    )
    expect(await send(identity, `Bearer ${token}`)).toHaveProperty('person')
  })

  it('is refused if it is bound in another way', async () => {
    const identity = await open()
    const token = await provider.sign({ aud: url, cnf: { 'x5t#S256': 'abc' } })
    expect(await send(identity, `Bearer ${token}`)).toMatchObject({ refusal: { status: 401 } })
  })
})
