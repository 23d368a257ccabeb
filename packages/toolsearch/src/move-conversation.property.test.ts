import { modelMessageSchema } from 'ai'
import fc from 'fast-check'
import { inProcessServer, type RecordedRequest } from 'toolsearch-checking-server'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../testing/deep.ts'
import { formats, type ProviderName } from './conversation-formats.ts'
import { type Lost, moveConversation } from './move-conversation.ts'
import { providers } from './providers/all-providers.fixtures.ts'
import { type ProviderCase, sampleTools } from './providers/provider.fixtures.ts'
import { createToolSearch } from './toolsearch.ts'
import type { ConversationMessage, ConversationPart } from './transcript/conversation.ts'
import { toConversation } from './transcript/to-conversation.ts'

const names = Object.keys(formats) as ProviderName[]
type ServiceName = Exclude<ProviderName, 'ai-sdk'>
const cases: Readonly<Record<ServiceName, ProviderCase>> = {
  anthropic: providers[0]!,
  'openai-compatible': providers[1]!,
  gemini: providers[2]!,
  openai: providers[3]!,
}

type Message = Readonly<Record<string, unknown>>

const word = fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom(...'abcäö "{') })
const text = fc.tuple(fc.constantFrom('x', 'y'), word).map(([start, rest]) => start + rest)
const png = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const
const image = fc.constantFrom<ConversationPart>(png, {
  type: 'image',
  mimeType: 'image/jpeg',
  url: 'https://example.com/zebra.jpg',
})
const call = fc.record({
  name: fc.constantFrom('invoice_approve', 'photo_archive', 'call_tool'),
  arguments: fc.dictionary(fc.constantFrom('subject', 'name'), text, { maxKeys: 2 }),
  isAnswered: fc.boolean(),
  isError: fc.boolean(),
  output: text,
  hasImage: fc.boolean(),
})

/** What one turn of the model does, and what the user says before it. */
const turn = fc.record({
  say: text,
  picture: fc.option(image, { nil: undefined }),
  reply: fc.option(text, { nil: undefined }),
  calls: fc.array(call, { maxLength: 3 }),
  search: fc.boolean(),
  thinks: fc.boolean(),
})
type Turn = typeof turn extends fc.Arbitrary<infer Value> ? Value : never

const conversation = fc.array(turn, { minLength: 1, maxLength: 4 })

const FOUND = '{"query":"approve invoice","loaded":["invoice_approve"]}'

function toMessages(
  { say, picture, reply, calls, search }: Turn,
  at: number,
): ConversationMessage[] {
  const searches = search
    ? [
        {
          name: 'tool_search',
          arguments: { query: 'approve invoice' },
          output: FOUND,
          ...answered,
        },
      ]
    : []
  const made = [...searches, ...calls].map((one, index) => ({ ...one, id: `c${at}_${index}` }))
  const messages: ConversationMessage[] = [
    { role: 'user', at, parts: [{ type: 'text', text: say }, ...(picture ? [picture] : [])] },
    {
      role: 'assistant',
      at,
      parts: [
        ...(reply === undefined ? [] : [{ type: 'text', text: reply } as const]),
        ...made.map(({ id, name, arguments: input }) => ({
          type: 'call' as const,
          id,
          name,
          arguments: input,
        })),
      ],
    },
    {
      role: 'tool',
      at,
      parts: made
        .filter(({ isAnswered }) => isAnswered)
        .map(({ id, name, output, isError, hasImage }) => ({
          type: 'result' as const,
          callId: id,
          name,
          parts: [{ type: 'text' as const, text: output }, ...(hasImage && !isError ? [png] : [])],
          isError,
        })),
    },
  ]
  return messages.filter(({ parts }) => parts.length > 0)
}

const answered = { isAnswered: true, isError: false, hasImage: false }

/** The conversation in a provider's shape, with the thinking that only this provider writes. */
function start(turns: readonly Turn[], from: ProviderName): Message[] {
  return turns.flatMap((each, at) => {
    const messages = formats[from].write(toMessages(each, at), () => {})
    const reply = messages.findIndex(isReply)
    if (!each.thinks || reply < 0) return messages
    return messages.toSpliced(reply, 1, ...withThinking(messages[reply]!, from, at))
  })
}

function isReply({ role, type }: Message): boolean {
  return role === 'assistant' || role === 'model' || type === 'function_call'
}

function withThinking(message: Message, from: ProviderName, at: number): Message[] {
  if (from === 'openai') return [{ type: 'reasoning', id: `rs_${at}`, summary: [] }, message]
  if (from === 'openai-compatible') return [{ ...message, reasoning_content: 'Hm.' }]
  if (from === 'ai-sdk') {
    const reasoning = { type: 'reasoning', text: 'Hm.' }
    return [{ ...message, content: [reasoning, ...(message.content as [])] }]
  }
  const block = { type: 'thinking', thinking: 'Hm.', signature: 'x' }
  if (from === 'anthropic') return [{ ...message, content: [block, ...(message.content as [])] }]
  return [{ ...message, parts: [{ text: 'Hm.', thought: true }, ...(message.parts as [])] }]
}

/** Everything that must survive: the texts, the calls, and what each call returned. */
function essence(messages: readonly object[], from: ProviderName) {
  const reportLost = () => {}
  const entries = (messages as Message[]).map(formats[from].read)
  const moved = toConversation(entries, {
    searchTool: 'tool_search',
    nameOf: (name) => name,
    reportLost,
  })
  const parts = moved.flatMap(({ parts, role }) => parts.map((part) => ({ part, role })))
  const calls = parts.flatMap(({ part }) => (part.type === 'call' ? [part] : []))
  const outputs = new Map<unknown, string>()
  for (const { part } of parts) {
    if (part.type !== 'result') continue
    const texts = part.parts.flatMap((one) => (one.type === 'text' ? [one.text] : []))
    outputs.set(part.callId, texts.join(''))
  }
  return {
    texts: parts
      .flatMap(({ part, role }) => (part.type === 'text' ? [`${role} ${part.text}`] : []))
      .filter((line) => !line.startsWith('user Result of ')),
    calls: calls.map(({ id, name, arguments: input }) => [name, input, outputs.get(id)]),
    images: JSON.stringify(messages).match(/AAAA|zebra\.jpg/g)?.length ?? 0,
  }
}

const route = fc.array(fc.constantFrom(...names), { minLength: 2, maxLength: 5 })

describe('moving any conversation around all providers', () => {
  it('keeps texts, calls, results and images, and reports exactly what is lost', async () => {
    await checkProperty(
      fc.property(conversation, route, (turns, [first, ...others]) => {
        let messages: object[] = start(turns, first!)
        let from = first!
        const before = essence(messages, from)
        for (const to of others) {
          const expected = expectedLosses(messages, from, to)
          const moved = moveConversation(messages, { from, to })
          expect(count(moved.lost)).toEqual(expected)
          messages = moved.messages
          from = to
          expect(essence(messages, from)).toEqual(before)
        }
      }),
    )
  })

  it('is stable: a second trip to a provider and back changes nothing', async () => {
    await checkProperty(
      fc.property(
        conversation,
        fc.constantFrom(...names),
        fc.constantFrom(...names),
        (turns, from, to) => {
          const trip = (messages: object[]) => {
            const away = moveConversation(messages, { from, to }).messages
            return moveConversation(away, { from: to, to: from }).messages as object[]
          }
          const once = trip(start(turns, from))
          expect(trip(once)).toEqual(once)
        },
      ),
    )
  })

  it('gives requests that every service accepts, with all loaded tools', async () => {
    const servers = await Promise.all(
      (Object.keys(cases) as ServiceName[]).map(async (name) => {
        const replies = Array.from({ length: 500 }, () => ({ text: 'Done.' }))
        const server = inProcessServer({ service: cases[name].service(), replies })
        return [name, server] as const
      }),
    )
    const serverOf = Object.fromEntries(servers) as Record<ServiceName, (typeof servers)[0][1]>
    const run = async (turns: Turn[], path: ProviderName[]) => {
      const [first, ...others] = path
      let messages: object[] = start(turns, first!)
      let from = first!
      for (const to of others) {
        // such messages stay as they are, also thinking that this test invented
        if (to === from) continue
        messages = moveConversation(messages, { from, to }).messages
        from = to
        if (to === 'ai-sdk') {
          expect(modelMessageSchema.array().safeParse(messages).error).toBeUndefined()
          continue
        }
        const { adapter, send, promptOf, model } = await open(to)
        const loaded = await adapter.rebuild(messages)
        if (turns.some(({ search }) => search)) expect(loaded).toContain('invoice_approve')
        const request = await adapter.request({ messages: [...messages, cases[to].user('Go on.')] })
        await send({ model, ...request })
        const { problem, body } = serverOf[to].requests.at(-1) as RecordedRequest
        expect(problem).toBeUndefined()
        const prompt = promptOf(body).join('\n')
        for (const name of loaded) expect(prompt).toContain(`Can ${name.split('_')[1]} one`)
      }
    }
    await checkProperty(fc.asyncProperty(conversation, route, run), { deepCases: 200 })
    await Promise.all(servers.map(([, server]) => server.close()))

    async function open(to: ServiceName) {
      const { model, send, service } = cases[to]
      const session = await createToolSearch({ tools: sampleTools }).session('a')
      return {
        model,
        adapter: cases[to].adapter(session, { model, endpoint: serverOf[to].url }),
        send: (request: unknown) => send(serverOf[to].url, request),
        promptOf: service().promptOf,
      }
    }
  })
})

function count(lost: readonly Lost[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { kind } of lost) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

/** Thinking never travels, and OpenAI's APIs do not mark errors. */
function expectedLosses(messages: object[], from: ProviderName, to: ProviderName) {
  if (from === to) return {}
  const json = messages.map((message) => JSON.stringify(message))
  const thinking = json.filter((line) => /"reasoning|"thinking"|"thought":true/.test(line)).length
  const errors = messages.flatMap(
    (message) => JSON.stringify(message).match(/"is_error":true|"error":|"error-text"/g) ?? [],
  )
  const marksErrors = to !== 'openai' && to !== 'openai-compatible'
  return {
    ...(thinking > 0 && { thinking }),
    ...(!marksErrors && errors.length > 0 && { 'error-flag': errors.length }),
  }
}
