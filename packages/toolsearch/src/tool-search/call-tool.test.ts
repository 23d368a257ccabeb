import { describe, expect, it } from 'vitest'
import { callTool, unwrapCall } from './call-tool.ts'

describe('callTool', () => {
  it('names the search and takes any arguments', () => {
    const { description, inputSchema } = callTool('find')
    expect(description).toContain('find')
    expect(inputSchema.required).toEqual(['name', 'arguments'])
  })
})

describe('unwrapCall', () => {
  it('gives the call inside, with the id of the one around it', () => {
    const call = { id: '1', name: 'call_tool', arguments: { name: 'a', arguments: { x: 1 } } }
    expect(unwrapCall(call)).toEqual({ id: '1', name: 'a', arguments: { x: 1 } })
    const text = { ...call, arguments: JSON.stringify(call.arguments) }
    expect(unwrapCall(text)).toEqual({ id: '1', name: 'a', arguments: { x: 1 } })
  })

  it('leaves another call alone', () => {
    const call = { name: 'a', arguments: { name: 'b' } }
    expect(unwrapCall(call)).toBe(call)
  })

  it.each([undefined, null, 'not json', '7', {}, { name: 7 }, []])(
    'finds no tool in %j',
    (given) => {
      expect(unwrapCall({ name: 'call_tool', arguments: given }).name).toBe('')
    },
  )
})
