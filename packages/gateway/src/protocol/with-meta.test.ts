import { describe, expect, it } from 'vitest'
import { withMeta } from './with-meta.ts'

const CLIENT = 'io.modelcontextprotocol/clientInfo'

describe('withMeta', () => {
  it('keeps what the caller says to the server, and no baggage', () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    const own = { 'com.example/user': 'ann', traceparent }
    const _meta = { ...own, baggage: 'user=root', progressToken: 'x' }
    expect(withMeta({ name: 'x', _meta }, { envelope: undefined })).toEqual({
      name: 'x',
      _meta: own,
    })
  })

  it('does not let the caller change what the gateway says', () => {
    const _meta = { [CLIENT]: { name: 'another' }, progressToken: 9 }
    const envelope = { [CLIENT]: { name: 'toolsearch' }, level: 'info' }
    const overrides = { level: 'debug' }
    expect(withMeta({ _meta }, { envelope, overrides, progressToken: 1 })).toEqual({
      _meta: { [CLIENT]: { name: 'toolsearch' }, level: 'debug', progressToken: 1 },
    })
  })

  it('adds nothing if there is nothing to add', () => {
    const params = { name: 'x' }
    expect(withMeta(params, { envelope: undefined })).toBe(params)
  })
})
