import { describe, expect, it } from 'vitest'
import { limitMessage } from './limit-message.ts'

describe('limitMessage', () => {
  it.each([
    [
      limitMessage({ each: 'person', per: 'minute', calls: 10 }, 'calls', 11_500),
      'you can make 10 calls per minute. Try again in 12 seconds.',
    ],
    [
      limitMessage({ each: 'person', tools: ['x'], per: 'day', calls: 1 }, 'calls', 7_200_000),
      'you can make 1 call of this tool per day. Try again in 2 hours.',
    ],
    [
      limitMessage({ each: 'tool', per: 'hour', calls: 2 }, 'calls', 500),
      'all users together can make 2 calls of this tool per hour. Try again in 1 second.',
    ],
    [
      limitMessage({ each: 'server', per: 'hour', concurrent: 2 }, 'concurrent', 1_000),
      'all users together can run 2 calls of this server at the same time. Try again in 1 second.',
    ],
    [
      limitMessage({ each: 'everybody', per: 'hour', resultBytes: 1e6 }, 'resultBytes', 600_000),
      'all users together can receive 1,000,000 bytes of results per hour. Try again in 10 minutes.',
    ],
  ])('%s', (message, expected) => {
    expect(message).toBe(`Rate limit reached: ${expected}`)
  })
})
