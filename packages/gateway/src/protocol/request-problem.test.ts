import { expect, it } from 'vitest'
import { requestProblem } from './request-problem.ts'

const long = 'x'.repeat(8_193)

it.each<[string, object, string | undefined]>([
  ['a usual request', { name: 'a', arguments: { text: long } }, undefined],
  ['a name', { name: long }, 'name is longer than 8192 characters'],
  ['a URI', { uri: long }, 'uri is longer'],
  ['a cursor', { cursor: long }, 'cursor is longer'],
  ['what a completion is for', { ref: { type: 'ref/resource', uri: long } }, 'uri is longer'],
])('finds what is too long: %s', (_, params, message) => {
  const problem = requestProblem({ jsonrpc: '2.0', id: 1, method: 'x', params })
  if (message === undefined) expect(problem).toBeUndefined()
  else expect(problem).toEqual({ code: -32602, message: expect.stringContaining(message) })
})

it.each([null, 1, 'text', [], {}, { params: null }, { params: [] }])(
  'leaves the rest to others: %j',
  (message) => expect(requestProblem(message)).toBeUndefined(),
)
