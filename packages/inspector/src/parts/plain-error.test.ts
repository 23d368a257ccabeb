import { expect, it } from 'vitest'
import { plainError } from './plain-error.ts'

it.each([
  ['No such order.', 'No such order.'],
  ['MCP error -32602: Unknown tool', 'Unknown tool'],
  ['{"error":"quota exceeded"}', 'quota exceeded'],
  ['Request failed: {"error":{"code":403,"message":"not \\"yours\\""}}', 'Request failed: not "yours"'],
  [
    'MCP error -32602: Invalid arguments: [ { "code": "invalid_type", "path": [ "id" ], "message": "Required" } ]',
    'Invalid arguments: id: Required',
  ],
  ['{"message":"first","trace":"cut o', 'first'],
  ['{"code":7}', '{"code":7}'],
])('shows %j as a sentence (finding: raw JSON errors)', (text, sentence) => {
  expect(plainError(text)).toBe(sentence)
})
