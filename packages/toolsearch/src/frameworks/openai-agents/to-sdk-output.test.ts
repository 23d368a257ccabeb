import { describe, expect, it } from 'vitest'
import { toSdkOutput } from './to-sdk-output.ts'

describe('toSdkOutput', () => {
  it('joins text, and writes what the SDK has no content for as text', () => {
    const output = toSdkOutput([
      { type: 'text', text: 'Hello' },
      { type: 'resource', uri: 'file:///a', text: 'A' },
      { type: 'link', uri: 'file:///b', name: 'B' },
      { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' },
    ])
    expect(output).toMatch(/^Hello\n\nfile:\/\/\/a:\nA\n\nB · file:\/\/\/b\n\n\[audio \(audio\/wav/)
  })

  it('keeps images and files', () => {
    expect(
      toSdkOutput([
        { type: 'text', text: 'Look' },
        { type: 'image', mimeType: 'image/png', data: 'AAAA' },
        { type: 'file', mimeType: 'application/pdf', data: 'BBBB', filename: 'a.pdf' },
        { type: 'file', mimeType: 'application/pdf', url: 'https://example.com/a.pdf' },
      ]),
    ).toEqual([
      { type: 'text', text: 'Look' },
      { type: 'image', image: 'data:image/png;base64,AAAA' },
      {
        type: 'file',
        file: { data: 'BBBB', mediaType: 'application/pdf', filename: 'a.pdf' },
      },
      { type: 'file', file: { url: 'https://example.com/a.pdf' } },
    ])
  })
})
