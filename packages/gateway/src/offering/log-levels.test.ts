import { describe, expect, it } from 'vitest'
import { createLogLevels, wantsLog } from './log-levels.ts'
import { upstreamSet } from './upstream-set.fixtures.ts'

function start() {
  const servers = upstreamSet({ one: { tools: [] }, two: { tools: [] } })
  const sent = () =>
    servers.calls.splice(0).map(({ server, params }) => `${server} ${params.level}`)
  return { servers, sent, levels: createLogLevels(servers) }
}

const all = () => true

describe('log levels', () => {
  it('are sent to every server: the lowest that any client has set', () => {
    const { levels, sent } = start()
    const [ada, bob] = [{}, {}]
    levels.set(ada, 'warning', all)
    expect(sent()).toEqual(['one warning', 'two warning'])
    levels.set(bob, 'debug', all)
    expect(sent()).toEqual(['one debug', 'two debug'])
    levels.forget(bob)
    expect(sent()).toEqual(['one warning', 'two warning'])
    levels.forget(ada)
    expect(sent()).toEqual([])
  })

  it('are sent to the servers that the client may know', () => {
    const { levels, sent } = start()
    const ada = {}
    levels.set(ada, 'warning', all)
    sent()
    levels.set({}, 'debug', (server) => server === 'two')
    expect(sent()).toEqual(['one warning', 'two debug'])
    levels.forget(ada)
    expect(sent()).toEqual(['two debug'])
  })

  it('are sent to a server that is added later', () => {
    const { levels, servers, sent } = start()
    servers.change('three', { tools: [] })
    expect(sent()).toEqual([])
    levels.set({}, 'info', all)
    sent()
    servers.change('four', { tools: [] })
    expect(sent()).toEqual(['four info'])
  })

  it('filter the messages for each client', () => {
    const { levels } = start()
    const ada = {}
    expect(wantsLog(ada, 'debug')).toBe(true)
    levels.set(ada, 'notice', all)
    const wanted = ['info', 'notice', 'error', 'nonsense'].filter((level) => wantsLog(ada, level))
    expect(wanted).toEqual(['notice', 'error'])
  })
})
