import { expect, it } from 'vitest'
import type { JsonObject } from './json-object.ts'
import { negotiate } from './negotiate.ts'
import type { Peer } from './peer.ts'
import { UpstreamError } from './upstream-error.ts'

const options = {
  server: 'server',
  client: { name: 'test', version: '1' },
  capabilities: {},
  discoverTimeoutMs: Number.POSITIVE_INFINITY,
}

function rejection(code: number, data?: JsonObject): UpstreamError {
  return new UpstreamError('refused', 'server', 'no', { answer: { code, message: 'no', data } })
}

/** A peer that returns these answers in order, and the methods that were requested. */
function peerWith(...answers: (JsonObject | UpstreamError)[]): { peer: Peer; requested: string[] } {
  const requested: string[] = []
  const peer: Peer = {
    async request(method) {
      requested.push(method)
      const answer = answers.shift() ?? rejection(-32603)
      if (answer instanceof UpstreamError) throw answer
      return answer
    },
    notify: async () => {},
    setEnvelope() {},
    rejectTooLarge() {},
    lose() {},
    end() {},
  }
  return { peer, requested }
}

const unsupported = (...supported: string[]) => rejection(-32022, { supported })

it('repeats server/discover when the server rejects the version but lists it as supported', async () => {
  const { peer, requested } = peerWith(unsupported('2026-07-28'), {
    supportedVersions: ['2026-07-28'],
    capabilities: {},
  })
  expect(await negotiate(peer, options)).toMatchObject({ era: 'modern' })
  expect(requested).toEqual(['server/discover', 'server/discover'])
})

it('falls back to initialize when the server lists other versions, or rejects the version twice', async () => {
  const greeting = { protocolVersion: '2025-11-25', capabilities: {} }
  const other = peerWith(unsupported('2027-01-01'), greeting)
  expect(await negotiate(other.peer, options)).toMatchObject({ era: 'legacy' })
  expect(other.requested).toEqual(['server/discover', 'initialize'])

  const same = peerWith(unsupported('2026-07-28'), unsupported('2026-07-28'), greeting)
  expect(await negotiate(same.peer, options)).toMatchObject({ era: 'legacy' })
})
