import { describe, expect, it } from 'vitest'
import { plainMessage } from './plain-message.ts'

describe('plainMessage', () => {
  it.each([
    ['No stamps left.', 'No stamps left.'],
    ['{"error":{"code":404,"message":"Not found"}}', 'Not found'],
    ['{"errors":[{"message":"a"},{"message":"b"}]}', 'a; b'],
    [
      'Request failed: {"message":"Bad credentials","status":"401"}',
      'Request failed: Bad credentials',
    ],
    ['MCP error -32602: MCP error -32602: Unknown tool', 'Unknown tool'],
    ['[{"code":"invalid_type","path":["to"],"message":"Required"}]', 'Required'],
    ['{"code":7}', '{"code":7}'],
    ['Use {curly} or [square]', 'Use {curly} or [square]'],
    ['', ''],
  ])('%s', (text, expected) => {
    expect(plainMessage(text)).toBe(expected)
  })
})
