import { expect, it } from 'vitest'
import type { ActivityEvent } from '../../api/contract.ts'
import { filterEvents, filterOptions } from './filter-events.ts'

const events = [
  { id: 4, kind: 'call', session: 'a', client: 'x', tool: 's__t', server: 's', failure: 'No.' },
  { id: 3, kind: 'call', session: 'b', client: 'y', tool: 'tool_search' },
  { id: 2, kind: 'search', session: 'a', client: 'x', hits: ['s__t', 'u__v'], servers: ['s', 'u'] },
  { id: 1, kind: 'search', session: 'b', client: 'y', hits: [], servers: [] },
] as unknown as readonly ActivityEvent[]

it.each([
  [{}, [4, 3, 2, 1]],
  [{ kind: 'search' }, [2, 1]],
  [{ kind: 'errors' }, [4, 1]],
  [{ server: 's' }, [4, 2]],
  [{ client: 'y' }, [3, 1]],
  [{ session: 'a', kind: 'call' }, [4]],
])('filters by %j', (filter, ids) => {
  expect(filterEvents(events, filter).map(({ id }) => id)).toEqual(ids)
})

it('offers the servers and clients that occur', () => {
  expect(filterOptions(events)).toEqual({ servers: ['s', 'u'], clients: ['x', 'y'] })
})
