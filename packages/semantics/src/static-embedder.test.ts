import { describe, expect, it } from 'vitest'
import { writeStaticTable } from '../../../training/write-static-table.ts'
import { createStaticEmbedder } from './static-embedder.ts'

const embedder = createStaticEmbedder(
  writeStaticTable({
    id: 'tiny',
    dimensions: 2,
    pieces: ['send', 'mail', '##s', 'cancel'],
    scales: Float32Array.of(0.5, 2, 1, 0),
    values: Int8Array.of(2, 0, 0, 2, 3, 0, 0, 0),
  }),
)

describe('createStaticEmbedder', () => {
  it('embeds a text as the sum of its rows, normalised to length one', () => {
    const [x, y] = embedder.embed('send mail')
    expect(Math.hypot(x!, y!)).toBeCloseTo(1, 5)
    expect(y! / x!).toBeCloseTo(4, 5)
  })

  it('returns a shorter vector if the table contains fewer of the words', () => {
    const length = (text: string) => Math.hypot(...embedder.embed(text))
    expect(length('mails')).toBeCloseTo(0.3, 5)
    expect(length('send mails')).toBeCloseTo(0.65, 5)
    expect(length('send 邮件')).toBeCloseTo(0.5, 5)
  })

  it('returns a zero vector for a query that is mostly in another script', () => {
    expect([...embedder.embed('发送邮件到 mail', 'query')]).toEqual([0, 0])
    expect(Math.hypot(...embedder.embed('发送邮件到 mail'))).toBeGreaterThan(0)
    expect(Math.hypot(...embedder.embed('send mail 邮件', 'query'))).toBeGreaterThan(0)
  })

  it('returns the pieces of a text with their vectors', () => {
    expect(embedder.pieces('send mails')).toEqual([
      { text: 'send', vector: Float32Array.of(1, 0) },
      { text: 'mail', vector: Float32Array.of(0, 4) },
      { text: '##s', vector: Float32Array.of(3, 0) },
    ])
  })

  it.each(['', ' ', '???', 'unheard', 'cancel'])(
    'returns a zero vector for %j, which has no known word',
    (text) => {
      expect([...embedder.embed(text)]).toEqual([0, 0])
    },
  )

  it('returns a new vector for each call', () => {
    embedder.embed('send')[0] = 9
    expect(embedder.embed('send')[0]).toBe(1)
  })

  it('has the id and dimensions of its table', () => {
    expect(embedder).toMatchObject({ id: 'tiny', dimensions: 2 })
  })
})
