import { describe, expect, it } from 'vitest'
import { eventLimit } from './event-limit.ts'

async function pass(chunks: string[], maxBytes = 20): Promise<{ out: string; skipped: number[] }> {
  const skipped: number[] = []
  const limit = eventLimit({ maxBytes, onSkipped: (_, __, bytes) => skipped.push(bytes) })
  const writer = limit.writable.getWriter()
  const out = new Response(limit.readable).text()
  for (const chunk of chunks) await writer.write(Buffer.from(chunk))
  await writer.close()
  return { out: await out, skipped }
}

describe('eventLimit (finding D15)', () => {
  it.each(['\n', '\r\n', '\r'])('drops large events only (lines end with %j)', async (end) => {
    const event = (data: string) => `data: ${data}${end}${end}`
    const text = `${event('a')}${event('x'.repeat(50))}${event('b')}`
    const { out, skipped } = await pass([text])
    expect(out.replaceAll(/[\r\n]+/g, ' ')).toBe('data: a data: b ')
    expect(skipped).toHaveLength(1)
    // byte by byte
    expect(await pass([...text])).toEqual({ out, skipped })
  })

  it('passes the rest of a stream on that ends without a blank line', async () => {
    expect(await pass(['data: a\n\n', 'data: b'])).toEqual({
      out: 'data: a\n\ndata: b',
      skipped: [],
    })
  })
})
