import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import type { OutputPart } from './output-part.ts'
import { readOutput } from './read-output.ts'

const png = Buffer.from('a small image').toString('base64')
const pdf = Buffer.from('%PDF-1.7 …').toString('base64')
const text = (words: string): OutputPart => ({ type: 'text', text: words })
const image = { type: 'image', data: png, mimeType: 'image/png' }
const ok = (...parts: unknown[]) => ({ parts, isError: false })
const from = (provider: string, block: object) => ({ native: { provider, block } })

describe('an MCP result', () => {
  it.each<[string, object, object]>([
    ['text', { content: [text('done')] }, ok(text('done'))],
    [
      'an image with its own annotations',
      { content: [text('seen'), { ...image, annotations: { priority: 1 } }] },
      ok(text('seen'), image),
    ],
    [
      'audio',
      { content: [{ type: 'audio', data: png, mimeType: 'audio/wav' }] },
      ok({ type: 'audio', data: png, mimeType: 'audio/wav' }),
    ],
    [
      'a resource with text',
      { content: [{ type: 'resource', resource: { uri: 'file:///a.md', text: '# A' } }] },
      ok({ type: 'resource', uri: 'file:///a.md', text: '# A' }),
    ],
    [
      'a resource with bytes',
      {
        content: [
          {
            type: 'resource',
            resource: { uri: 'file:///a/b.pdf', blob: pdf, mimeType: 'application/pdf' },
          },
        ],
      },
      ok({ type: 'file', data: pdf, mimeType: 'application/pdf', filename: 'b.pdf' }),
    ],
    [
      'a resource with the bytes of a text',
      {
        content: [{ type: 'resource', resource: { uri: 'x:a', blob: png, mimeType: 'text/csv' } }],
      },
      ok({ type: 'resource', uri: 'x:a', text: 'a small image', mimeType: 'text/csv' }),
    ],
    [
      'a link',
      { content: [{ type: 'resource_link', uri: 'https://a.example/b', name: 'b', size: 4 }] },
      ok({ type: 'link', uri: 'https://a.example/b', name: 'b' }),
    ],
    [
      'an error',
      { content: [text('no such file')], isError: true },
      { parts: [text('no such file')], isError: true },
    ],
    [
      'structured content next to its text',
      { content: [text('{"n":1}')], structuredContent: { n: 1 } },
      ok(text('{"n":1}')),
    ],
    [
      'structured content next to an image',
      { content: [image], structuredContent: { n: 1 } },
      ok(text('{"n":1}'), image),
    ],
    ['structured content alone', { structuredContent: { n: 1 } }, ok(text('{"n":1}'))],
    [
      'structured content next to an empty list',
      { content: [], structuredContent: [1], isError: true },
      { parts: [text('[1]')], isError: true },
    ],
    ['no content', { content: [], isError: false }, ok(text(''))],
    [
      'a block of a newer protocol',
      { content: [{ type: 'hologram', data: 1 }], isError: false, _meta: {} },
      ok(text('{"type":"hologram","data":1}')),
    ],
  ])('with %s', (_, result, expected) => {
    expect(readOutput(result)).toEqual(expected)
  })
})

describe('a block of a provider', () => {
  const source = { type: 'base64', media_type: 'image/png', data: png }
  const blocks: [string, object, unknown][] = [
    [
      'an image of Anthropic',
      { type: 'image', source, cache_control: { type: 'ephemeral' } },
      {
        ...image,
        ...from('anthropic', { type: 'image', source, cache_control: { type: 'ephemeral' } }),
      },
    ],
    [
      'a PDF of Anthropic',
      {
        type: 'document',
        source: { ...source, data: pdf, media_type: 'application/pdf' },
        title: 'A',
      },
      { type: 'file', data: pdf, mimeType: 'application/pdf', filename: 'A' },
    ],
    [
      'a text document of Anthropic',
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'hi' } },
      { type: 'resource', uri: '', text: 'hi' },
    ],
    [
      'a search result of Anthropic',
      { type: 'search_result', title: 'T', source: 'https://a.example', content: [text('found')] },
      text('T (https://a.example)\nfound'),
    ],
    [
      'a tool reference',
      { type: 'tool_reference', tool_name: 'send_mail' },
      text('Tool: send_mail'),
    ],
    ['a text of OpenAI', { type: 'input_text', text: 'hi' }, text('hi')],
    [
      'an image of OpenAI',
      { type: 'input_image', image_url: `data:image/png;base64,${png}`, detail: 'low' },
      image,
    ],
    [
      'a file of OpenAI',
      { type: 'input_file', file_data: `data:application/pdf;base64,${pdf}`, filename: 'a.pdf' },
      { type: 'file', data: pdf, mimeType: 'application/pdf', filename: 'a.pdf' },
    ],
    [
      'an uploaded file of OpenAI',
      { type: 'input_file', file_id: 'file_1' },
      { type: 'native', provider: 'openai', block: { type: 'input_file', file_id: 'file_1' } },
    ],
    [
      'an image of Chat Completions',
      { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
      { type: 'image', url: 'https://a.example/b.png', mimeType: 'image/*' },
    ],
    [
      'audio of Chat Completions',
      { type: 'input_audio', input_audio: { data: png, format: 'mp3' } },
      { type: 'audio', data: png, mimeType: 'audio/mpeg' },
    ],
    [
      'a file of Chat Completions',
      {
        type: 'file',
        file: { file_data: `data:application/pdf;base64,${pdf}`, filename: 'a.pdf' },
      },
      { type: 'file', data: pdf, mimeType: 'application/pdf', filename: 'a.pdf' },
    ],
    ['inline data of Gemini', { inlineData: { data: png, mimeType: 'image/png' } }, image],
    [
      'a file of Gemini',
      { fileData: { fileUri: 'gs://a/b', mimeType: 'audio/wav' } },
      { type: 'audio', url: 'gs://a/b', mimeType: 'audio/wav' },
    ],
  ]

  it.each(blocks)('%s, alone and in a list', (_, block, part) => {
    expect(readOutput(block)).toMatchObject(ok(part))
    expect(readOutput([block, block])).toMatchObject(ok(part, part))
  })

  it('reads a whole response of Gemini', () => {
    const parts = [{ inlineData: { data: png, mimeType: 'image/png' } }]
    const response = { name: 'x', response: { error: 'no' }, parts }
    expect(readOutput({ functionResponse: response })).toMatchObject({
      parts: [text('no'), image],
      isError: true,
    })
  })

  it('reads texts next to the media of Gemini', () => {
    const list = [{ text: 'Look:' }, { inlineData: { data: png, mimeType: 'image/png' } }]
    expect(readOutput(list)).toMatchObject(ok(text('Look:'), image))
  })

  it.each(['data', 'image_url'])('reads a long "data:" without a comma quickly (%s)', (field) => {
    const value = `data:${'x'.repeat(200_000)}`
    const block =
      field === 'data'
        ? { type: 'image', data: value, mimeType: 'image/png' }
        : { type: 'input_image', image_url: value }
    const start = performance.now()
    expect(readOutput(block).parts).toHaveLength(1)
    expect(performance.now() - start).toBeLessThan(2000)
  })

  it('reads a data URL whose text has a stray percent sign', () => {
    const block = { type: 'input_file', file_data: 'data:text/plain,100%', filename: 'a.txt' }
    expect(readOutput(block).parts).toMatchObject([{ type: 'resource', text: '100%' }])
  })

  it.each([
    ['report.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['report.PDF', 'application/pdf'],
    ['report.xyz', 'application/octet-stream'],
  ])('tells the type of %s from its name', (filename, mimeType) => {
    const block = { type: 'input_file', file_data: pdf, filename }
    expect(readOutput(block).parts).toMatchObject([{ type: 'file', mimeType, filename }])
  })

  it('forgets a block whose base64 is not in the standard form', () => {
    const data = Buffer.from([251, 255, 254, 1]).toString('base64url')
    const [part] = readOutput({ inlineData: { data, mimeType: 'image/png' } }).parts
    expect(part).toEqual({ type: 'image', data: '+//+AQ==', mimeType: 'image/png' })
  })
})

describe('an output of the AI SDK', () => {
  const error = (words: string) => ({ parts: [text(words)], isError: true })
  it.each<[object, object]>([
    [{ type: 'text', value: 'done' }, ok(text('done'))],
    [{ type: 'json', value: { n: 1 } }, ok(text('{"n":1}'))],
    [{ type: 'error-text', value: 'no' }, error('no')],
    [{ type: 'error-json', value: { n: 1 } }, error('{"n":1}')],
    [{ type: 'execution-denied', reason: 'Not today.' }, error('Not today.')],
    [{ type: 'execution-denied' }, error('The user denied this call.')],
    [
      {
        type: 'content',
        value: [
          { type: 'text', text: 'seen' },
          { type: 'image-data', data: png, mediaType: 'image/png' },
          { type: 'file-url', url: 'https://a.example/b.pdf', mediaType: 'application/pdf' },
          { type: 'file', data: { type: 'data', data: png }, mediaType: 'image/png' },
          { type: 'file-data', data: Buffer.from(png, 'base64'), mediaType: 'image/png' },
        ],
      },
      ok(
        text('seen'),
        image,
        { type: 'file', url: 'https://a.example/b.pdf', mimeType: 'application/pdf' },
        image,
        image,
      ),
    ],
  ])('%j', (output, expected) => {
    expect(readOutput(output)).toEqual(expected)
  })
})

describe('plain data', () => {
  it.each<[string, unknown]>([
    ['a document of an editor', { type: 'paragraph', content: [{ type: 'text', text: 'Hi' }] }],
    ['a page with content', { title: 'A', content: [{ type: 'text', text: 'Hi' }] }],
    ['content that is a string', { content: 'Hi' }],
    ['content that is an empty list', { content: [] }],
    ['content with other values', { content: [1, 2] }],
    ['an image without bytes', { type: 'image', url: 'https://a.example/b.png' }],
    ['an image with an id', { ...image, id: 7 }],
    ['a list of messages', [{ text: 'a' }, { text: 'b' }]],
    [
      'a list of blocks and others',
      [
        { type: 'text', text: 'a' },
        { type: 'row', text: 'b' },
      ],
    ],
    ['a type that is not ours', { type: 'toString', text: 'x' }],
    ['an error field', { isError: true }],
    ['an empty list', []],
  ])('stays JSON: %s', (_, data) => {
    expect(readOutput(data)).toEqual(ok(text(JSON.stringify(data))))
  })

  it('stays JSON whatever it contains, if one field is of no block', async () => {
    const field = fc.constantFrom(
      ...['type', 'text', 'content', 'data', 'mimeType', 'source', 'value', 'resource', 'uri'],
      ...['isError', 'structuredContent', 'inlineData', 'file', 'image_url', 'functionResponse'],
    )
    const value = fc.oneof(
      fc.constantFrom('text', 'image', 'content', 'json', 'document', 'file'),
      fc.jsonValue({ maxDepth: 2 }),
      fc.constant([text('a')]),
    )
    await checkProperty(
      fc.property(fc.dictionary(field, value), fc.jsonValue(), (data, own) => {
        const output = { ...data, ownField: own }
        expect(readOutput(output)).toEqual(ok(text(JSON.stringify(output))))
        expect(readOutput([output])).toEqual(ok(text(JSON.stringify([output]))))
      }),
    )
  })

  it('is never an error of ours, whatever it is', async () => {
    const throwing = {
      get content() {
        throw new Error('not now')
      },
    }
    expect(readOutput(throwing)).toMatchObject({ isError: true })
    await checkProperty(
      fc.property(
        fc.anything({ withBigInt: true, withMap: true, withNullPrototype: true }),
        (value) => {
          const { parts } = readOutput(value)
          expect(parts.length).toBeGreaterThan(0)
        },
      ),
    )
  })
})

it('reads strings, errors and nothing', () => {
  expect(readOutput('done')).toEqual(ok(text('done')))
  expect(readOutput(undefined)).toEqual(ok(text('')))
  expect(readOutput(new Error('disk full'))).toEqual({ parts: [text('disk full')], isError: true })
})
