import { describe, expect, it } from 'vitest'
import { createSourceStates } from './source-states.ts'

describe('createSourceStates', () => {
  it('takes every source for ready until told otherwise', () => {
    expect(createSourceStates().notReady()).toEqual([])
  })

  it('tells of the sources that are not ready, by name', () => {
    const states = createSourceStates()
    states.set({ source: 'mcp:mail', state: 'failed', detail: 'connection refused' })
    states.set({ source: 'mcp:git', state: 'ready' })
    states.set({ source: 'mcp:chat', state: 'needs-sign-in' })
    states.set({ source: 'client:editor', state: 'connecting' })
    expect(states.notReady()).toEqual([
      { source: 'client:editor', state: 'connecting' },
      { source: 'mcp:chat', state: 'needs-sign-in' },
      { source: 'mcp:mail', state: 'failed', detail: 'connection refused' },
    ])
  })

  it('knows the latest state of a source only', () => {
    const states = createSourceStates()
    states.set({ source: 'mcp:git', state: 'connecting', detail: 'first try' })
    states.set({ source: 'mcp:git', state: 'failed' })
    expect(states.notReady()).toEqual([{ source: 'mcp:git', state: 'failed' }])
    states.set({ source: 'mcp:git', state: 'ready' })
    expect(states.notReady()).toEqual([])
  })

  it('forgets a source, and does not mind forgetting twice', () => {
    const states = createSourceStates()
    states.set({ source: 'mcp:git', state: 'failed' })
    states.set({ source: 'mcp:mail', state: 'failed' })
    states.remove('mcp:git')
    states.remove('mcp:git')
    expect(states.notReady()).toEqual([{ source: 'mcp:mail', state: 'failed' }])
  })

  it('hands out a list of its own each time', () => {
    const states = createSourceStates()
    states.set({ source: 'mcp:git', state: 'failed' })
    const before = states.notReady()
    states.remove('mcp:git')
    expect(before).toHaveLength(1)
  })
})
