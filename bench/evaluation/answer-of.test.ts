import { createToolSearch } from 'toolsearch'
import { expect, it } from 'vitest'
import { answerOf } from './answer-of.ts'

const hit = (name: string) => ({ tool: { name } })

it('lists the hits of a search', () => {
  const tools = [{ name: 'send_mail' }, { name: 'read_file' }]
  const { names } = answerOf(createToolSearch({ tools }).search('send mail'))
  expect(names).toEqual(['send_mail'])
})

it('lists candidates after hits, with the confidence', () => {
  const outcome = { hits: [hit('a')], candidates: [hit('b')], confidence: 'low' } as const
  expect(answerOf(outcome)).toEqual({ names: ['a', 'b'], confidence: 'low' })
})
