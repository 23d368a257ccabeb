import { describe, expect, it } from 'vitest'
import { limitEvents } from './limit-events.ts'

async function pass(chunks: string[], maxBytes = 20): Promise<{ out: string; skipped: number[] }> {
  const skipped: number[] = []
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
      controller.close()
    },
  })
  const limited = limitEvents(body, { maxBytes, onSkipped: (_, __, bytes) => skipped.push(bytes) })
  const out = new Response(limited).text()
  return { out: await out, skipped }
}

describe('limitEvents', () => {
  it.each(['\n', '\r\n', '\r'])('drops large events only (lines end with %j)', async (end) => {
    const event = (data: string) => `data: ${data}${end}${end}`
    const text = `${event('a')}${event('x'.repeat(50))}${event('b')}`
    const { out, skipped } = await pass([text])
    expect(out.replaceAll(/[\r\n]+/g, ' ')).toBe('data: a data: b ')
    expect(skipped).toHaveLength(1)
    // byte by byte
    expect(await pass([...text])).toEqual({ out, skipped })
  })

  it('leaves out what readers ignore, wherever chunks end', async () => {
    const text = '\ufeff: hi\n\n\r\n\rid: 1\rx\r: y\r\ndatas: 1\ndata:a\nretry\r\rdata\n\n'
    const out = 'id: 1\ndata:a\nretry\n\ndata\n\n'
    expect(await pass([text])).toEqual({ out, skipped: [] })
    expect(await pass([...text.slice(1)])).toEqual({ out, skipped: [] })
  })

  it('lets others run while a flood of events arrives', async () => {
    let turns = 0
    let isOver = false
    const count = () => {
      turns++
      if (!isOver) setImmediate(count)
    }
    count()
    const { out } = await pass(['data:x\n\n'.repeat(1_500)])
    isOver = true
    expect(out).toHaveLength(1_500 * 8)
    expect(turns).toBeGreaterThan(25)
  })

  it('passes the rest of a stream on that ends without a blank line', async () => {
    expect(await pass(['data: a\n\n', 'data: b'])).toEqual({
      out: 'data: a\n\ndata: b',
      skipped: [],
    })
  })
})
