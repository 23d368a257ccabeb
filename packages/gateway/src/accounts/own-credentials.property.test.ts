import fc from 'fast-check'
import { expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import type { Person } from '../identity/person.ts'
import { oauthFixture } from '../sign-in/oauth-server.fixtures.ts'
import { faultyServer, serverConfig } from '../upstreams/fixtures/servers.fixtures.ts'
import { callText } from '../upstreams/fixtures/watch.fixtures.ts'
import {
  ask,
  connectAccount,
  createTeam,
  person,
  personValue,
  type Replica,
} from './accounts.fixtures.ts'

/** What can happen, in any order and at the same time. */
const event = fc.record({
  what: fc.constantFrom(
    'call',
    'call',
    'call',
    'call',
    'call local',
    'call local',
    'expire',
    'revoke',
    'connect',
    'disconnect',
    'enter value',
    'reconfigure',
  ),
  who: fc.nat(3),
  replica: fc.nat(1),
  /** Whether to wait for it before the next one. */
  waits: fc.boolean(),
})

it('never sends a request with the credentials of another person', async () => {
  await checkProperty(
    fc.asyncProperty(fc.array(event, { minLength: 20, maxLength: 60 }), async (events) => {
      const remote = await oauthFixture()
      const team = await createTeam()
      const credentials = { kind: 'person' } as const
      const mail = serverConfig(
        { kind: 'http', url: remote.url, headers: {} },
        { name: 'mail', credentials },
      )
      const local = faultyServer({}, { name: 'local', credentials })
      const tool = {
        ...local,
        connection: { ...local.connection, env: { API_KEY: personValue('API_KEY') } },
      } as typeof local
      const people = ['ann', 'ben', 'cleo', 'dan'].map((name) => person(name))
      let counter = 0
      try {
        // fewer connections than people, and a short time until they end
        const limits = { maxOpen: 3, idleMs: 5 }
        const replicas = [
          await team.replica([mail, tool], limits),
          await team.replica([mail, tool], limits),
        ]
        for (const who of people) await connect(replicas[0]!, who)
        const running: Promise<unknown>[] = []
        for (const { what, who, replica, waits } of events) {
          const task = run(what, people[who]!, replicas[replica]!)
          running.push(task)
          if (waits) await task.catch(() => {})
        }
        for (const outcome of await Promise.allSettled(running)) {
          if (outcome.status === 'rejected') throw outcome.reason
        }
        for (const { people: servers } of replicas) expect(servers.open).toBeLessThanOrEqual(3)
      } finally {
        await team.close()
        await remote.close()
      }

      function connect(replica: Replica, who: Person): Promise<unknown> {
        return connectAccount(replica, who, 'mail', `${who.subject}-${counter++}`)
      }

      async function run(what: string, who: Person, replica: Replica): Promise<unknown> {
        const { upstreams } = replica.people.serversFor(who)!
        switch (what) {
          case 'call': {
            // the configuration is without it for a moment
            const upstream = upstreams.get('mail')
            if (!upstream) return undefined
            const text = await callText(upstream, 'open_tool').catch(expectedFailure)
            return expect(text).toMatch(new RegExp(`^(failed|.* by ${who.subject}-\\d+)$`))
          }
          case 'call local': {
            const result = await upstreams
              .get('local')!
              .request('tools/call', { name: 'environment', arguments: {} })
              .then((answer) => JSON.stringify(answer), expectedFailure)
            const others = people.filter((each) => each !== who)
            for (const { subject } of others) expect(result).not.toContain(`key-${subject}-`)
            return expect(result).toMatch(new RegExp(`^failed$|key-${who.subject}-`))
          }
          case 'expire':
            return remote.expireAccess()
          case 'revoke':
            return counter % 5 === 0 && remote.revoke()
          case 'connect':
            return connect(replica, who)
          case 'disconnect':
            return ask(replica, who, 'DELETE', '/api/accounts/mail')
          case 'enter value': {
            const values = { API_KEY: `key-${who.subject}-${counter++}` }
            return ask(replica, who, 'PUT', '/api/accounts/local/values', { values })
          }
          default: {
            const limits = { ...mail.limits, callMs: 20_000 + counter }
            await replica.people.apply([tool])
            return replica.people.apply([{ ...mail, limits }, tool])
          }
        }
      }
    }),
    // Each has dozens of events, and starts servers.
    { cases: 3, deepCases: 15 },
  )
})

/** Accounts can be missing, and connections can end or be too many. Nothing else may go wrong. */
function expectedFailure(error: { code?: string; message: string }): string {
  const codes = ['needs-sign-in', 'closed', 'not-started', 'died']
  expect(codes, error.message).toContain(error.code)
  return 'failed'
}
