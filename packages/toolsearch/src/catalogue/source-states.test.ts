import { describe, expect, it } from 'vitest'
import { createSourceStates } from './source-states.ts'

describe('createSourceStates', () => {
  it('considers sources ready by default', () => {
    expect(createSourceStates().notReady()).toEqual([])
  })

  it('returns the sources that are not ready, sorted by name', () => {
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

  it('keeps only the latest state of a source', () => {
    const states = createSourceStates()
    states.set({ source: 'mcp:git', state: 'connecting', detail: 'first try' })
    states.set({ source: 'mcp:git', state: 'failed' })
    expect(states.notReady()).toEqual([{ source: 'mcp:git', state: 'failed' }])
    states.set({ source: 'mcp:git', state: 'ready' })
    expect(states.notReady()).toEqual([])
  })

  it('removes a source, even if called twice', () => {
    const states = createSourceStates()
    states.set({ source: 'mcp:git', state: 'failed' })
    states.set({ source: 'mcp:mail', state: 'failed' })
    states.remove('mcp:git')
    states.remove('mcp:git')
    expect(states.notReady()).toEqual([{ source: 'mcp:mail', state: 'failed' }])
  })

  it('returns a new list each time', () => {
    const states = createSourceStates()
    states.set({ source: 'mcp:git', state: 'failed' })
    const before = states.notReady()
    states.remove('mcp:git')
    expect(before).toHaveLength(1)
  })
})
