import Anthropic from '@anthropic-ai/sdk'
import { expect, it } from 'vitest'
import { prefixBreaks } from '../../frameworks/long-conversation.fixtures.ts'
import { startConversation } from '../converse.fixtures.ts'
import { serverTool } from '../provider.fixtures.ts'
import { anthropicCase } from './anthropic-case.fixtures.ts'

it('declares at most 10,000 tools, and those that messages refer to first', async () => {
  const tools = Array.from({ length: 10_050 }, (_, at) =>
    serverTool(`thing_${at}`, at === 10_049 ? 'Paints a giraffe.' : `Handles thing ${at}.`),
  )
  const provider = anthropicCase('Anthropic', Anthropic)
  const chat = await startConversation(provider, { mode: 'reference', tools })
  await chat.turn({ calls: [{ name: 'tool_search', arguments: { query: 'giraffe' } }] })
  await chat.turn({ calls: [{ name: 'thing_10049', arguments: { subject: 'x' } }] })
  await chat.turn({ text: 'Done.' })
  expect(chat.ran).toHaveLength(1)
  expect(chat.accepted().at(-1)!.body.tools).toHaveLength(10_000)
  expect(chat.server.requests.flatMap(({ problem }) => problem ?? [])).toEqual([])
  expect(prefixBreaks(provider.service(), chat.server.requests)).toEqual([])
  await chat.close()
})
