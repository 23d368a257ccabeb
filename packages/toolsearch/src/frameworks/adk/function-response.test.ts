import { describe, expect, it } from 'vitest'
import { toResponse, withMedia } from './function-response.ts'

const text = { type: 'text', text: 'Look' } as const
const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const
const inlineData = { mimeType: 'image/png', data: 'AAAA' }

function contentsFor(model: string) {
  const response = toResponse({ kind: 'answer', text: '', parts: [text, image], isError: false })
  const part = { functionResponse: { id: '1', name: 'call_tool', response } }
  const contents = [{ role: 'user', parts: [part, { text: 'Hello' }] }]
  return withMedia({ model, contents, toolsDict: {}, liveConnectConfig: {} })
}

describe('a function response', () => {
  it('has an error or an output', () => {
    const answer = { kind: 'answer', text: '', parts: [text] } as const
    expect(toResponse({ ...answer, isError: false })).toEqual({ output: 'Look' })
    expect(toResponse({ ...answer, isError: true })).toEqual({ error: 'Look' })
  })

  it.each(['audio/wav', 'image/gif', 'video/mp4'])(
    'names %s, which Gemini rejects there',
    (mimeType) => {
      const media = { type: 'file', mimeType, data: 'AAAA' } as const
      const response = toResponse({
        kind: 'answer',
        text: '',
        parts: [text, media],
        isError: false,
      })
      expect(response).toEqual({ output: expect.stringMatching(`^Look\n\n\\[.*${mimeType}`) })
    },
  )

  it('has images where Gemini 3 reads them', () => {
    expect(contentsFor('gemini-3-pro')[0]!.parts).toEqual([
      {
        functionResponse: {
          id: '1',
          name: 'call_tool',
          response: { output: 'Look' },
          parts: [{ inlineData }],
        },
      },
      { text: 'Hello' },
    ])
  })

  it('has a note instead of images for models that read only text', () => {
    const [part] = contentsFor('gemini-2.5-flash')[0]!.parts!
    expect(part?.functionResponse?.parts).toBeUndefined()
    expect(part?.functionResponse?.response).toEqual({
      output: 'Look',
      note: expect.stringContaining('image/png'),
    })
  })
})
