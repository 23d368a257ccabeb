import { describe, expect, it } from 'vitest'
import { createAccess } from '../access/create-access.ts'
import type { AccessRuleConfig } from '../config/team-config.ts'
import { LOCAL_CALLER } from '../identity/caller.ts'
import { createGateway } from '../offering/gateway.ts'
import { gatewayConfig, serverConfig, upstreamSet } from '../offering/upstream-set.fixtures.ts'
import { followCaller } from './follow-caller.ts'
import { watchNotifications } from './upstream-notifications.ts'

const tools = [{ name: 'open', inputSchema: { type: 'object' } }]

/** A connection over two servers, whose background tasks run when the test says so. */
function start() {
  const set = upstreamSet({ bank: { tools }, mail: { tools } })
  const config = (rules: readonly AccessRuleConfig[]) => ({
    ...gatewayConfig(['bank', 'mail'].map((name) => serverConfig(name))),
    access: { rules, cedar: [] },
  })
  const initial = config([{ allow: ['*/*', 'resource:*'] }])
  let access = createAccess(initial)
  const gateway = createGateway(initial, set, {
    access: {
      rightsOf: (caller) => access.rightsOf(caller),
      configure(next) {
        access = createAccess(next)
      },
    },
  })
  const tasks: (() => void)[] = []
  const events: string[] = []
  const followed = followCaller(gateway, LOCAL_CALLER, {
    background: (task) => tasks.push(task),
    watch: (view, isCurrent) =>
      watchNotifications(view.servers, (event) => {
        if (isCurrent()) events.push(event.kind)
      }),
    onListChanged: () => events.push('list'),
    onViewChanged: () => events.push('view'),
  })
  return {
    followed,
    events,
    setRules: (...rules: AccessRuleConfig[]) => gateway.configure(config(rules)),
    notify: (server: string) =>
      set.notify(server, 'notifications/resources/updated', { uri: 'x://y' }),
    runTasks() {
      for (const task of tasks) task()
      tasks.length = 0
    },
    servers: () => [...followed.view.servers.upstreams.keys()],
  }
}

const NO_BANK: AccessRuleConfig = {
  allow: ['*/*', 'resource:*'],
  deny: ['bank/*', 'resource:bank/*'],
}

describe('followCaller', () => {
  it('applies new rules to the next request, whatever else is to be done', () => {
    const { followed, setRules, servers } = start()
    setRules(NO_BANK)
    followed.follow(LOCAL_CALLER)
    expect(servers()).toEqual(['mail'])
  })

  it('reports a new list later, and only if it differs', () => {
    const { events, setRules, runTasks } = start()
    setRules(NO_BANK)
    expect(events).toEqual([])
    runTasks()
    expect(events).toEqual(['view', 'list'])
    setRules(NO_BANK, { people: ['nobody'], allow: ['bank/*'] })
    runTasks()
    expect(events).toEqual(['view', 'list', 'view'])
  })

  it('compares with the list before the first of several changes', () => {
    const { events, setRules, followed, runTasks } = start()
    setRules(NO_BANK)
    followed.follow(LOCAL_CALLER)
    setRules({ allow: ['*/*', 'resource:*'] })
    runTasks()
    expect(events).toEqual(['view', 'view'])
  })

  it('passes on no event that the new rules hide, and all others, before it was their turn', () => {
    const { events, setRules, notify } = start()
    notify('bank')
    setRules(NO_BANK)
    notify('bank')
    expect(events.filter((event) => event === 'resource-updated')).toHaveLength(1)
    notify('mail')
    expect(events.filter((event) => event === 'resource-updated')).toHaveLength(2)
  })

  it('passes on the event that makes it notice new rules, once', () => {
    const { events, setRules, notify } = start()
    setRules(NO_BANK)
    notify('mail')
    expect(events).toEqual(['view', 'resource-updated'])
  })
})
