import { createToolSearch, unified } from 'toolsearch'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createSearchLab } from './search-lab.ts'

afterEach(() => {
  vi.useRealTimers()
})

const tools = [{ name: 'mail__send', description: 'Sends a letter', source: 'mcp:mail' as const }]

describe('createSearchLab', () => {
  it('returns the search that agents use, and searches with other rankers over the same tools', async () => {
    const toolSearch = createToolSearch({ tools })
    const lab = createSearchLab({ toolSearch })
    expect((await lab.toolSearch())!.toolSearch).toBe(toolSearch)
    expect((await lab.toolSearch('unified'))!.toolSearch).toBe(toolSearch)
    const other = (await lab.toolSearch('nexo'))!
    expect(other.toolSearch.catalogue.size).toBe(1)
    expect((await lab.toolSearch('nexo'))!.toolSearch).toBe(other.toolSearch)
    expect(await lab.toolSearch('magic')).toBeUndefined()
    lab.close()
  })

  it('lists a custom ranker that agents use', async () => {
    const ranker = () => ({ ...unified.ranker(), name: 'mine' })
    const lab = createSearchLab({ toolSearch: createToolSearch({ tools, ranker }) })
    expect((await lab.rankers())[0]).toEqual({
      id: 'serving',
      title: 'unified, mine',
      isServing: true,
    })
    expect((await lab.rankers()).filter(({ isServing }) => isServing)).toHaveLength(1)
    lab.close()
  })

  it('drops a search that was idle for too long', async () => {
    vi.useFakeTimers()
    const toolSearch = createToolSearch({ tools })
    const lab = createSearchLab({ toolSearch }, { idleMs: 1_000 })
    const first = (await lab.toolSearch('bm25'))!.toolSearch
    vi.advanceTimersByTime(900)
    expect((await lab.toolSearch('bm25'))!.toolSearch).toBe(first)
    vi.advanceTimersByTime(900)
    expect((await lab.toolSearch('bm25'))!.toolSearch).toBe(first)
    vi.advanceTimersByTime(1_001)
    toolSearch.catalogue.add({ name: 'mail__read', source: 'mcp:mail' })
    expect(first.catalogue.size).toBe(1)
    const second = (await lab.toolSearch('bm25'))!.toolSearch
    expect(second).not.toBe(first)
    expect(second.catalogue.size).toBe(2)
    lab.close()
  })
})
