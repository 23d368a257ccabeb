import { expect, it } from 'vitest'
import { partsText } from './parts-text.ts'

it('names images and files instead of including their bytes', () => {
  const data = 'A'.repeat(40_000)
  const text = partsText([
    { type: 'text', text: 'Two files:' },
    { type: 'image', data, mimeType: 'image/png' },
    { type: 'file', url: 'https://a.example/b.pdf', mimeType: 'application/pdf' },
    { type: 'resource', uri: 'file:///a.md', text: '# A' },
    { type: 'link', uri: 'https://a.example', name: 'A', description: 'All of it' },
    { type: 'native', provider: 'openai', block: { type: 'input_file', file_id: 'file_1' } },
  ])
  expect(text).toBe(
    [
      'Two files:',
      '[image (image/png, 30 kB)]',
      '[file https://a.example/b.pdf (application/pdf)]',
      'file:///a.md:',
      '# A',
      'A · https://a.example · All of it',
      '[input_file]',
    ].join('\n'),
  )
})
