import { expect, it } from 'vitest'
import type { JsonObject } from './json-object.ts'
import { negotiate } from './negotiate.ts'
import type { Peer } from './peer.ts'
import { UpstreamError } from './upstream-error.ts'

const options = {
  server: 'server',
  client: { name: 'test', version: '1' },
  capabilities: {},
  patienceMs: Number.POSITIVE_INFINITY,
}

function rejection(code: number, data?: JsonObject): UpstreamError {
  return new UpstreamError('refused', 'server', 'no', { answer: { code, message: 'no', data } })
}

/** A server that gives these answers in order, and the methods it was asked. */
function peerThat(...answers: (JsonObject | UpstreamError)[]): { peer: Peer; asked: string[] } {
  const asked: string[] = []
  const peer: Peer = {
    async request(method) {
      asked.push(method)
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
  return { peer, asked }
}

const unsupported = (...supported: string[]) => rejection(-32022, { supported })

it('repeats server/discover when the server rejects the version but lists it as supported', async () => {
  const { peer, asked } = peerThat(unsupported('2026-07-28'), {
    supportedVersions: ['2026-07-28'],
    capabilities: {},
  })
  expect(await negotiate(peer, options)).toMatchObject({ era: 'modern' })
  expect(asked).toEqual(['server/discover', 'server/discover'])
})

it('falls back to initialize when the server lists other versions, or rejects the version twice', async () => {
  const greeting = { protocolVersion: '2025-11-25', capabilities: {} }
  const other = peerThat(unsupported('2027-01-01'), greeting)
  expect(await negotiate(other.peer, options)).toMatchObject({ era: 'legacy' })
  expect(other.asked).toEqual(['server/discover', 'initialize'])

  const same = peerThat(unsupported('2026-07-28'), unsupported('2026-07-28'), greeting)
  expect(await negotiate(same.peer, options)).toMatchObject({ era: 'legacy' })
})
