import { describe, expect, it } from 'vitest'
import { moveConversation, type ProviderName } from './move-conversation.ts'

const wav = { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' }
const png = { type: 'image', mimeType: 'image/png', data: 'AAAA' }

function kinds({ lost }: { lost: readonly { kind: string }[] }): string[] {
  return lost.map(({ kind }) => kind)
}

/** A call and its result in the shape of the AI SDK, whose results can contain anything. */
function sdkResult(...value: object[]): object[] {
  const call = { type: 'tool-call', toolCallId: 'a', toolName: 'record', input: {} }
  const output = { type: 'content', value }
  const result = { type: 'tool-result', toolCallId: 'a', toolName: 'record', output }
  return [
    { role: 'assistant', content: [call] },
    { role: 'tool', content: [result] },
  ]
}

function sdkFile({ mimeType, data }: { mimeType: string; data: string }): object {
  return { type: 'file', mediaType: mimeType, data: { type: 'data', data } }
}

describe('moving media', () => {
  it('turns a long text document of Claude into text', () => {
    const data = 'ä'.repeat(200_000)
    const source = { type: 'text', media_type: 'text/plain', data }
    const claude = [{ role: 'user', content: [{ type: 'document', source, title: 'a.txt' }] }]
    const moved = moveConversation(claude, { from: 'anthropic', to: 'openai-compatible' })
    expect(moved.messages).toEqual([{ role: 'user', content: `a.txt:\n${data}` }])
    expect(moved.lost).toEqual([])
  })

  it.each<ProviderName>(['ai-sdk', 'anthropic', 'openai', 'openai-compatible'])(
    'reports data that is not base64 as lost on the way to %s',
    (to) => {
      const inlineData = { mimeType: 'image/png', data: '***' }
      const text = { mimeType: 'text/plain', data: '***' }
      const parts = [{ text: 'Look.' }, { inlineData }, { inlineData: text }]
      const moved = moveConversation([{ role: 'user', parts }], { from: 'gemini', to })
      expect(kinds(moved)).toEqual(['image', 'file'])
      expect(JSON.stringify(moved.messages)).not.toContain('***')
    },
  )

  it.each<ProviderName>(['ai-sdk', 'anthropic', 'openai', 'openai-compatible'])(
    'reports files of Gemini that %s cannot fetch as lost',
    (to) => {
      const parts = [
        { text: 'Look.' },
        { fileData: { fileUri: 'files/abc', mimeType: 'image/png' } },
        { fileData: { mimeType: 'image/png' } },
      ]
      const moved = moveConversation([{ role: 'user', parts }], { from: 'gemini', to })
      expect(kinds(moved)).toEqual(['file', 'image'])
      expect(JSON.stringify(moved.messages)).not.toMatch(/files\/abc|undefined/)
    },
  )

  it('puts media that a response of Gemini cannot contain into a content of their own', () => {
    const address = { type: 'image-url', url: 'https://example.com/zebra.jpg' }
    const messages = sdkResult({ type: 'text', text: 'Here.' }, sdkFile(wav), sdkFile(png), address)
    const moved = moveConversation(messages, { from: 'ai-sdk', to: 'gemini' })
    const response = {
      id: 'a',
      name: 'record',
      response: { output: 'Here.' },
      parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
    }
    expect(moved.messages.slice(1)).toEqual([
      { role: 'user', parts: [{ functionResponse: response }] },
      {
        role: 'user',
        parts: [
          { text: 'Result of record:' },
          { inlineData: { mimeType: 'audio/wav', data: 'AAAA' } },
          { fileData: { mimeType: 'image/jpeg', fileUri: 'https://example.com/zebra.jpg' } },
        ],
      },
    ])
    expect(moved.lost).toEqual([])
  })

  it('reads a file of Chat Completions that is plain base64', () => {
    const file = { filename: 'a.pdf', file_data: 'AAAA' }
    const chat = [{ role: 'user', content: [{ type: 'file', file }] }]
    const moved = moveConversation(chat, { from: 'openai-compatible', to: 'anthropic' })
    const source = { type: 'base64', media_type: 'application/pdf', data: 'AAAA' }
    expect(moved.messages).toEqual([
      { role: 'user', content: [{ type: 'document', source, title: 'a.pdf' }] },
    ])
  })

  it.each<[ProviderName, object, string]>([
    ['anthropic', { type: 'image-url', url: 'http://example.com/a.png' }, 'https'],
    ['anthropic', sdkFile({ ...png, mimeType: 'image/bmp' }), 'image/bmp'],
    ['anthropic', sdkFile({ ...png, data: 'A'.repeat(6 * 1024 * 1024) }), '5 MB'],
    ['openai', sdkFile(wav), 'audio/wav'],
    ['openai', sdkFile({ ...wav, mimeType: 'application/zip' }), 'application/zip'],
    ['openai-compatible', sdkFile({ ...wav, mimeType: 'application/zip' }), 'application/zip'],
    ['gemini', sdkFile({ ...wav, mimeType: 'application/zip' }), 'application/zip'],
  ])('reports what %s rejects as lost (%#)', (to, file, reason) => {
    const moved = moveConversation(sdkResult({ type: 'text', text: 'Here.' }, file), {
      from: 'ai-sdk',
      to,
    })
    expect(moved.lost).toEqual([
      { kind: expect.any(String), at: 1, reason: expect.stringContaining(reason) },
    ])
    expect(JSON.stringify(moved.messages)).toContain('Here.')
  })

  it('names a file without a name after its type', () => {
    const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
    const inlineData = { mimeType, data: 'AAAA' }
    const contents = [{ role: 'user', parts: [{ inlineData }] }]
    const { messages } = moveConversation(contents, { from: 'gemini', to: 'openai' })
    expect(messages).toMatchObject([{ content: [{ type: 'input_file', filename: 'file.xlsx' }] }])
  })

  it('reads parts of Gemini that have more fields than their data', () => {
    const part = { inlineData: { mimeType: 'image/png', data: 'AAAA' }, thoughtSignature: 'x' }
    const contents = [{ role: 'user', parts: [{ ...part, mediaResolution: {} }] }]
    const { messages, lost } = moveConversation(contents, { from: 'gemini', to: 'anthropic' })
    expect(messages).toMatchObject([{ content: [{ type: 'image' }] }])
    expect(lost).toEqual([])
  })
})

describe('moving search results of the AI SDK that consist of references', () => {
  const definition = { name: 'zoom', description: 'Zooms.', inputSchema: { type: 'object' } }
  const reference = (toolsearch: object) => ({
    type: 'custom',
    providerOptions: { anthropic: { type: 'tool-reference', toolName: 'zoom' }, toolsearch },
  })

  it.each<[object, unknown]>([
    [reference({ definition }), definition],
    [reference({}), 'zoom'],
  ])('keeps the found tools (%#)', (block, tool) => {
    const moved = moveConversation(sdkResult(block), { from: 'ai-sdk', to: 'openai' })
    expect(moved.messages[1]!.output).toBe(JSON.stringify({ query: '', loaded: [tool] }))
    expect(moved.lost).toEqual([])
  })

  it('keeps the text that names them', () => {
    const blocks = [{ type: 'text', text: 'Loaded: zoom' }, reference({ definition })]
    const moved = moveConversation(sdkResult(...blocks), { from: 'ai-sdk', to: 'openai' })
    expect(moved.messages[1]!.output).toBe('Loaded: zoom')
    expect(moved.lost).toEqual([])
  })
})
