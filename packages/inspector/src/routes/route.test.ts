import { describe, expect, it } from 'vitest'
import { formatRoute, parseRoute } from './route.ts'

describe('parseRoute', () => {
  it.each([
    ['', { view: 'overview', params: {} }],
    ['#/', { view: 'overview', params: {} }],
    ['#/nowhere', { view: 'overview', params: {} }],
    ['#/live?session=42', { view: 'live', params: { session: '42' } }],
    ['#/search?query=send+mail&ranker=', { view: 'search', params: { query: 'send mail' } }],
    ['#/search?query=what%3F%20now', { view: 'search', params: { query: 'what? now' } }],
    ['#/search?query=50%', { view: 'search', params: { query: '50%' } }],
  ])('parses %j', (hash, route) => {
    expect(parseRoute(hash)).toEqual(route)
  })
})

describe('formatRoute', () => {
  it('omits empty parameters', () => {
    expect(formatRoute('catalogue', { query: '', tool: undefined })).toBe('#/catalogue')
    expect(formatRoute('overview')).toBe('#/')
  })

  it.each(['+github issue', 'select:a,b', 'ümlaut & "quotes" ?#%'])('round-trips %j', (query) => {
    expect(parseRoute(formatRoute('search', { query })).params.query).toBe(query)
  })
})
