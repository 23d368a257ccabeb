import { expect, it } from 'vitest'
import { requestErrors } from './request-errors.ts'

it('errors of servers are passed on up to a length', () => {
  const { answer, message } = requestErrors('mail').refused('tools/call', {
    code: 7,
    message: 'm'.repeat(100_000),
    data: ['d'.repeat(100_000)],
  })
  expect(answer).toEqual({ code: 7, message: `${'m'.repeat(20_000)}…` })
  expect(message.length).toBeLessThan(20_100)
})
