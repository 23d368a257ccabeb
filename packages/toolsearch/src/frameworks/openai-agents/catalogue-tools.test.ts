import { describe, expect, it } from 'vitest'
import { createBridge } from '../../bridge/bridge.ts'
import { createToolSearch } from '../../toolsearch.ts'
import { createCatalogueTools } from './catalogue-tools.ts'

describe('calls of runs that were aborted', () => {
  it('are forgotten after some time, and checked again if they run after all', async () => {
    const toolSearch = createToolSearch({ tools: [{ name: 'show', execute: () => 'Shown.' }] })
    const bridge = createBridge(await toolSearch.session('a'))
    let checks = 0
    const tool = createCatalogueTools({
      ...bridge,
      check(input) {
        checks += 1
        return bridge.check(input)
      },
    }).callTool()
    const input = { name: 'show', arguments: {} }
    const run = (callId: string) => tool.invoke({}, JSON.stringify(input), { toolCall: { callId } })
    for (let index = 0; index < 1000; index += 1) await tool.needsApproval({}, input, `${index}`)
    checks = 0
    expect(await run('999')).toBe('Shown.')
    expect(checks, 'a recent call').toBe(0)
    expect(await run('0')).toBe('Shown.')
    expect(checks, 'an old call').toBe(1)
  })
})
