import { createHash } from 'node:crypto'
import Anthropic from '@anthropic-ai/sdk'
import { afterEach, describe, expect, it } from 'vitest'
import type { DroppedPart } from '../outputs/output-part.ts'
import { providers } from './all-providers.fixtures.ts'
import { anthropicCase } from './anthropic/anthropic-case.fixtures.ts'
import {
  type Conversation,
  type ConversationOptions,
  startConversation,
} from './converse.fixtures.ts'
import { geminiCase } from './gemini/gemini-case.fixtures.ts'
import { openaiCase } from './openai/openai-case.fixtures.ts'
import { chatCase } from './openai-compatible/openai-compatible.fixtures.ts'
import { deepseek } from './openai-compatible/openai-compatible.ts'
import type { ProviderCase } from './provider.fixtures.ts'
import type { AdapterOptions } from './provider-adapter.ts'

const bytes = (length: number) =>
  Buffer.concat(
    Array.from({ length: Math.ceil(length / 32) }, (_, at) =>
      createHash('sha256').update(String(at)).digest(),
    ),
  ).subarray(0, length)
const PNG = bytes(30_000).toString('base64')
const PDF = Buffer.from('%PDF-1.7 small').toString('base64')
const WAV = Buffer.from('RIFF small').toString('base64')

const text = (words: string) => ({ type: 'text', text: words })
const png = { type: 'image', data: PNG, mimeType: 'image/png' }
const wav = { type: 'audio', data: WAV, mimeType: 'audio/wav' }
const pdf = {
  type: 'resource',
  resource: { uri: 'file:///docs/a.pdf', blob: PDF, mimeType: 'application/pdf' },
}
const note = { type: 'resource', resource: { uri: 'file:///note.md', text: '# Note' } }
const link = { type: 'resource_link', uri: 'https://a.example/big.csv', name: 'big.csv' }

const anthropic = anthropicCase('Anthropic', Anthropic)
const chat = chatCase('Chat Completions')
const everyMedia = chatCase('Chat Completions', { media: ['image', 'audio', 'file'] })

let conversation: Conversation | undefined
afterEach(() => conversation?.close())

/** Lets the model call `show` and returns the messages that the next request has after the call. */
async function sent(
  provider: ProviderCase,
  output: unknown,
  { calls = 1, ...options }: { calls?: number } & ConversationOptions = {},
): Promise<unknown[]> {
  const tools = [{ name: 'show', execute: () => output }]
  const search = { activation: 'never' as const }
  conversation = await startConversation(provider, { tools, search, run: () => output, ...options })
  const replies = Array.from({ length: calls }, () => ({ name: 'show', arguments: {} }))
  await conversation.turn({ calls: replies })
  await conversation.turn({ text: 'I see.' })
  const messages = provider
    .messagesOf(conversation.accepted().at(-1)!.body)
    .filter((message) => (message as { role?: string }).role !== 'system')
  const callItems = provider === openaiCase ? calls : 1
  return messages.slice(1 + callItems)
}

function dropped(): { options: AdapterOptions; parts: DroppedPart[] } {
  const parts: DroppedPart[] = []
  return { options: { onDrop: (list) => parts.push(...list) }, parts }
}

describe('an MCP result with everything', () => {
  const output = { content: [text('Here:'), png, wav, pdf, note, link], _meta: {} }

  it('keeps images and PDFs on Anthropic', async () => {
    const { options, parts } = dropped()
    const [{ content }] = (await sent(anthropic, output, options)) as [{ content: [object] }]
    expect(content).toEqual([
      {
        type: 'tool_result',
        tool_use_id: expect.any(String),
        content: [
          text('Here:'),
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
          text('[Not included: audio (audio/wav, 10 bytes). Claude cannot read audio/wav.]'),
          {
            type: 'document',
            source: { type: 'base64', media_type: 'application/pdf', data: PDF },
            title: 'a.pdf',
          },
          text('file:///note.md:\n# Note'),
          text('big.csv · https://a.example/big.csv'),
        ],
      },
    ])
    expect(parts).toEqual([
      {
        type: 'audio',
        tool: 'show',
        callId: expect.any(String),
        reason: 'Claude cannot read audio/wav. The model got a text that names it instead.',
      },
    ])
  })

  it('keeps images and PDFs on OpenAI', async () => {
    const { options, parts } = dropped()
    const [item] = await sent(openaiCase, output, options)
    expect(item).toEqual({
      type: 'function_call_output',
      call_id: expect.any(String),
      output: [
        { type: 'input_text', text: 'Here:' },
        { type: 'input_image', image_url: `data:image/png;base64,${PNG}` },
        { type: 'input_text', text: expect.stringContaining('Not included: audio') },
        {
          type: 'input_file',
          filename: 'a.pdf',
          file_data: `data:application/pdf;base64,${PDF}`,
        },
        { type: 'input_text', text: 'file:///note.md:\n# Note' },
        { type: 'input_text', text: 'big.csv · https://a.example/big.csv' },
      ],
    })
    expect(parts.map((part) => part.type)).toEqual(['audio'])
  })

  it('keeps images and PDFs in the response on Gemini, and audio after it', async () => {
    const { options, parts } = dropped()
    expect(await sent(geminiCase, output, options)).toEqual([
      {
        role: 'user',
        parts: [
          {
            functionResponse: {
              name: 'show',
              response: {
                output: [
                  'Here:',
                  '[image (image/png, 30 kB)]',
                  '[audio (audio/wav, 10 bytes)]',
                  '[file a.pdf (application/pdf, 14 bytes)]',
                  'file:///note.md:\n# Note',
                  'big.csv · https://a.example/big.csv',
                ].join('\n'),
              },
              parts: [
                { inlineData: { mimeType: 'image/png', data: PNG } },
                { inlineData: { mimeType: 'application/pdf', data: PDF } },
              ],
            },
          },
        ],
      },
      {
        role: 'user',
        parts: [
          { text: 'Result of show, audio (audio/wav, 10 bytes):' },
          { inlineData: { mimeType: 'audio/wav', data: WAV } },
        ],
      },
    ])
    expect(parts).toEqual([])
  })

  it('puts all media after the response for models before Gemini 3', async () => {
    const [response, media] = await sent(geminiCase, output, { model: 'gemini-2.5-pro' })
    expect(JSON.stringify(response)).not.toContain(PNG)
    expect(media).toMatchObject({ role: 'user', parts: { length: 6 } })
    expect(JSON.stringify(media)).toContain(PNG)
  })

  it('puts the accepted media into a user message on Chat Completions', async () => {
    const { options, parts } = dropped()
    const [result, media] = await sent(everyMedia, output, options)
    expect(result).toMatchObject({ role: 'tool', content: expect.stringContaining('[image (') })
    expect(media).toEqual({
      role: 'user',
      content: [
        text('Result of show, image (image/png, 30 kB):'),
        { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
        text('Result of show, audio (audio/wav, 10 bytes):'),
        { type: 'input_audio', input_audio: { data: WAV, format: 'wav' } },
        text('Result of show, file a.pdf (application/pdf, 14 bytes):'),
        {
          type: 'file',
          file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` },
        },
      ],
    })
    expect(parts).toEqual([])
  })

  it('sends only images on Chat Completions by default, and names the rest', async () => {
    const { options, parts } = dropped()
    const [result, media] = await sent(chat, output, options)
    expect(media).toMatchObject({ content: [text(expect.any(String)), { type: 'image_url' }] })
    expect(result).toMatchObject({ content: expect.stringContaining('[Not included: audio') })
    expect(parts.map((part) => part.type)).toEqual(['audio', 'file'])
  })

  it('sends only text to an endpoint that reads only text', async () => {
    const { options, parts } = dropped()
    const messages = await sent(chatCase('DeepSeek', deepseek), output, options)
    expect(messages).toHaveLength(1)
    expect(messages[0]).toMatchObject({ role: 'tool', content: expect.any(String) })
    expect(parts.map((part) => part.type)).toEqual(['image', 'audio', 'file'])
  })
})

describe.each(providers)('a result on $name', (provider) => {
  it('keeps a PNG of 30 kB an image with the same bytes', async () => {
    const messages = await sent(provider, { content: [png] })
    const strings = stringsIn(messages)
    expect(strings.filter((value) => value.endsWith(PNG))).toHaveLength(1)
    expect(Math.max(...strings.filter((value) => !value.endsWith(PNG)).map(lengthOf))).toBeLessThan(
      100,
    )
  })

  it('keeps the results of parallel calls together', async () => {
    const messages = await sent(provider, { content: [text('One.'), png] }, { calls: 3 })
    expect(stringsIn(messages).filter((value) => value.endsWith(PNG))).toHaveLength(3)
  })

  it('is the same whether the adapter or the program runs the tool', async () => {
    const output = { content: [text('One.'), png, wav] }
    conversation = await startConversation(provider, {
      tools: [{ name: 'show', execute: () => output }],
      search: { activation: 'never' },
    })
    const step = await conversation.turn({ calls: [{ name: 'show', arguments: {} }] })
    expect(await step.run()).toEqual(step.messages([output]))
  })

  it('marks an error of an MCP server', async () => {
    const messages = await sent(provider, { content: [text('No such file')], isError: true })
    const json = JSON.stringify(messages)
    expect(json).toContain('No such file')
    expect(json).toMatch(/"is_error":true|"error":"No such file"|Error: No such file/)
  })

  it('keeps the image of an error', async () => {
    const messages = await sent(provider, { content: [text('Failed'), png], isError: true })
    expect(stringsIn(messages).some((value) => value.endsWith(PNG))).toBe(true)
    expect(JSON.stringify(messages)).toMatch(/error/i)
  })

  it('sends structured content without text as JSON', async () => {
    const messages = await sent(provider, { content: [], structuredContent: { n: 1 } })
    expect(stringsIn(messages)).toContain('{"n":1}')
  })

  it.each<[string, unknown]>([
    [
      'Anthropic',
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
    ],
    ['OpenAI', [{ type: 'input_image', image_url: `data:image/png;base64,${PNG}` }]],
    [
      'Chat Completions',
      { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}`, detail: 'low' } },
    ],
    ['Gemini', [{ text: 'Look' }, { inlineData: { mimeType: 'image/png', data: PNG } }]],
    [
      'the AI SDK',
      { type: 'content', value: [{ type: 'media', data: PNG, mediaType: 'image/png' }] },
    ],
  ])('takes an image in the shape of %s', async (_, output) => {
    const messages = await sent(provider, output)
    expect(stringsIn(messages).filter((value) => value.endsWith(PNG))).toHaveLength(1)
  })

  it('is accepted whatever its media are', async () => {
    const { options, parts } = dropped()
    const odd = [
      { type: 'image', data: 'not base64!', mimeType: 'image/png' },
      { type: 'image', data: '', mimeType: 'image/png' },
      { type: 'image', data: WAV, mimeType: 'image/tiff' },
      { type: 'file-url', url: 'ftp://a.example/b', mediaType: 'application/zip' },
      { type: 'input_file', file_id: 'file_of_someone' },
      text('  '),
    ]
    await sent(provider, odd, options)
    expect(parts.length).toBeGreaterThanOrEqual(4)
  })

  it('is accepted if it is empty or white space', async () => {
    await sent(provider, ' \n')
    await conversation!.close()
    await sent(provider, { content: [] })
  })

  it('needs no repair in later requests', async () => {
    const repairs: unknown[] = []
    const output = { content: [text('One.'), png, wav] }
    await sent(provider, output, { calls: 2, onRepair: (list) => repairs.push(...list) })
    await conversation!.turn({ calls: [{ name: 'show', arguments: {} }] })
    await conversation!.turn({ text: 'Again.' })
    expect(repairs).toEqual([])
  })

  it('keeps one text a plain string or block, as before', async () => {
    const fromString = await sent(provider, 'Done.')
    await conversation!.close()
    const fromMcp = await sent(provider, { content: [text('Done.')] })
    expect(withoutIds(fromMcp)).toEqual(withoutIds(fromString))
    expect(stringsIn(fromString)).toContain('Done.')
  })
})

describe.each(providers)('a result on $name', (provider) => {
  it.each([
    { it: 'no content', output: { content: [], isError: true } },
    { it: 'an empty text', output: { content: [text('')], isError: true } },
    { it: 'a blank text', output: { content: [text(' ')], isError: true } },
  ])('that is an error with $it says that there is no message', async ({ output }) => {
    const messages = await sent(provider, output)
    expect(stringsIn(messages)).toContain('The tool reported an error without a message.')
  })

  it('has no half of a surrogate pair', async () => {
    const half = 'bad \ud800 x'
    const file = { uri: 'file:///a', text: half, mimeType: 'text/plain' }
    const output = { content: [text(half), { type: 'resource', resource: file }] }
    const written = stringsIn(await sent(provider, output)).join()
    expect(written).toContain('bad \ufffd x')
    expect(written.isWellFormed()).toBe(true)
  })
})

describe('a native block', () => {
  it('reaches Anthropic unchanged', async () => {
    const blocks = [
      {
        type: 'search_result',
        source: 'https://a.example',
        title: 'A',
        content: [text('Found.')],
        citations: { enabled: true },
      },
      {
        type: 'document',
        source: { type: 'text', media_type: 'text/plain', data: 'Hello' },
        title: 'B',
        context: 'Greeting',
      },
      { type: 'image', source: { type: 'file', file_id: 'file_1' } },
    ]
    const [message] = await sent(anthropic, blocks)
    expect(message).toMatchObject({ content: [{ content: blocks }] })
  })

  it('has no cache breakpoint, because a request can have only four', async () => {
    const cached = { ...text('Cached'), cache_control: { type: 'ephemeral' } }
    const [message] = await sent(
      anthropic,
      Array.from({ length: 5 }, () => cached),
    )
    expect(message).toMatchObject({ content: [{ content: Array(5).fill(text('Cached')) }] })
    expect(JSON.stringify(message)).not.toContain('cache_control')
  })

  it('reaches OpenAI unchanged', async () => {
    const blocks = [
      { type: 'input_image', image_url: 'https://a.example/b.png', detail: 'high' },
      { type: 'input_file', file_id: 'file_1' },
    ]
    const [item] = await sent(openaiCase, blocks)
    expect(item).toMatchObject({ output: blocks })
  })

  it('becomes text for another provider', async () => {
    const result = {
      type: 'search_result',
      source: 'https://a.example',
      title: 'A',
      content: [text('Found.')],
    }
    const [message] = await sent(chat, [result])
    expect(message).toMatchObject({ role: 'tool', content: 'A (https://a.example)\nFound.' })
  })
})

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(stringsIn)
}

function lengthOf(value: string): number {
  return value.length
}

function withoutIds(messages: readonly unknown[]): unknown {
  const json = JSON.stringify(messages, (key, value) => (/(^|_)id$/.test(key) ? 'id' : value))
  return JSON.parse(json)
}
