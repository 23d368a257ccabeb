import Anthropic from '@anthropic-ai/sdk'
import type OldAnthropic from 'anthropic-sdk-0'
import { describe, expect, it } from 'vitest'
import { createToolSearch } from '../../toolsearch.ts'
import { startConversation } from '../converse.fixtures.ts'
import { describeProvider } from '../provider.cases.ts'
import { anthropic } from './anthropic.ts'
import { anthropicCase, miniMaxCase } from './anthropic-case.fixtures.ts'

describeProvider(anthropicCase('Anthropic 1.x', Anthropic))

describe('anthropic', () => {
  it('is type-compatible with both major versions of the client', async () => {
    const session = await createToolSearch().session('a')
    const plain = await anthropic(session).request({ messages: [{ role: 'user', content: 'a' }] })
    const now: Anthropic.MessageCreateParams = { model: 'a', max_tokens: 1, ...plain }
    const before: OldAnthropic.MessageCreateParams = { model: 'a', max_tokens: 1, ...plain }
    const own = await anthropic<Anthropic.MessageParam>(session).request(now)
    const beta = anthropic<Anthropic.Beta.BetaMessageParam>(session, { mode: 'inline-addition' })
    const params: Anthropic.Beta.MessageCreateParams = {
      model: 'a',
      max_tokens: 1,
      ...(await beta.request({ messages: own.messages })),
    }
    expect([now, before, params]).toMatchObject(Array(3).fill({ messages: [{ role: 'user' }] }))
  })
})

it('lists what a notice described if the endpoint rejects the mode', async () => {
  const chat = await startConversation(anthropicCase('Anthropic 1.x', Anthropic), {
    mode: 'reference',
    rejects: ['defer_loading'],
  })
  chat.say('Please approve the invoice.')
  const error = await chat.turn({ text: 'a' }, { expect: true }).catch((error: unknown) => error)
  expect(chat.adapter.downgrade(error)).toBe('bridge')
  const inner = { name: 'invoice_approve', arguments: { subject: 'number 7' } }
  await chat.turn({ calls: [inner] }, { expect: true })
  expect(chat.ran).toEqual([inner])
  const { text } = chat.accepted().at(-1)!
  expect(text).toContain('"name":"invoice_approve"')
  expect(text).not.toContain('directly by name')
  await chat.close()
})

describe('minimax', () => {
  it('uses mode bridge and sends no beta header', async () => {
    const chat = await startConversation(miniMaxCase(Anthropic))
    await chat.turn({ calls: [{ name: 'tool_search', arguments: { query: 'approve invoice' } }] })
    expect(chat.adapter.mode).toBe('bridge')
    expect(chat.accepted()).toHaveLength(1)
    expect(chat.accepted()[0]!.headers['anthropic-beta']).toBeUndefined()
    await chat.close()
  })
})
