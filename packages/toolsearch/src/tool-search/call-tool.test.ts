import { describe, expect, it } from 'vitest'
import { callTool, unwrapCall } from './call-tool.ts'

describe('callTool', () => {
  it('mentions the search tool and requires a name and arguments', () => {
    const { description, inputSchema } = callTool('find')
    expect(description).toContain('find')
    expect(inputSchema.required).toEqual(['name', 'arguments'])
  })
})

describe('unwrapCall', () => {
  it('returns the wrapped call with the id of the outer call', () => {
    const call = { id: '1', name: 'call_tool', arguments: { name: 'a', arguments: { x: 1 } } }
    expect(unwrapCall(call)).toEqual({ id: '1', name: 'a', arguments: { x: 1 } })
    const text = { ...call, arguments: JSON.stringify(call.arguments) }
    expect(unwrapCall(text)).toEqual({ id: '1', name: 'a', arguments: { x: 1 } })
  })

  it('returns a call to any other tool unchanged', () => {
    const call = { name: 'a', arguments: { name: 'b' } }
    expect(unwrapCall(call)).toBe(call)
  })

  it.each([undefined, null, 'not json', '7', {}, { name: 7 }, []])(
    'returns an empty name for the arguments %j',
    (args) => {
      expect(unwrapCall({ name: 'call_tool', arguments: args }).name).toBe('')
    },
  )
})
