import { describe, expect, it } from 'vitest'
import { createLogLevels, wantsLog } from './log-levels.ts'
import { upstreamSet } from './upstream-set.fixtures.ts'

function start() {
  const servers = upstreamSet({ one: { tools: [] }, two: { tools: [] } })
  const told = () =>
    servers.calls.splice(0).map(({ server, params }) => `${server} ${params.level}`)
  return { servers, told, levels: createLogLevels(servers) }
}

describe('log levels', () => {
  it('are told to every server, the lowest that any client wants', () => {
    const { levels, told } = start()
    const [ada, bob] = [{}, {}]
    levels.set(ada, 'warning')
    expect(told()).toEqual(['one warning', 'two warning'])
    levels.set(bob, 'debug')
    expect(told()).toEqual(['one debug', 'two debug'])
    levels.forget(bob)
    expect(told()).toEqual(['one warning', 'two warning'])
    levels.forget(ada)
    expect(told()).toEqual([])
  })

  it('are told to a server that comes later', () => {
    const { levels, servers, told } = start()
    servers.change('three', { tools: [] })
    expect(told()).toEqual([])
    levels.set({}, 'info')
    told()
    servers.change('four', { tools: [] })
    expect(told()).toEqual(['four info'])
  })

  it('say what a client wants to hear', () => {
    const { levels } = start()
    const ada = {}
    expect(wantsLog(ada, 'debug')).toBe(true)
    levels.set(ada, 'notice')
    const wanted = ['info', 'notice', 'error', 'nonsense'].filter((level) => wantsLog(ada, level))
    expect(wanted).toEqual(['notice', 'error'])
  })
})
