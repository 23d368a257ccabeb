import { describe, expect, it } from 'vitest'
import { collect, decode } from './decode.ts'

const model = (...parts: object[]) => ({ role: 'model', parts })
const text = (words: string) => ({ text: words })
const call = (name: string) => ({ functionCall: { name, args: {} } })

describe('collect', () => {
  const chunk = (...parts: object[]) => ({ candidates: [{ index: 0, content: model(...parts) }] })

  it('merges texts of the same kind, except those with a signature', () => {
    const collector = collect()
    const calls = [
      chunk({ text: 'I ', thought: true }),
      chunk({ text: 'think.', thought: true }),
      chunk(text('So ')),
      chunk(text('it is.')),
      chunk({ ...call('tool_search'), thoughtSignature: 'c2ln' }, call('call_tool')),
      chunk(call('call_tool')),
      chunk(text('And')),
      chunk({ text: '', thoughtSignature: 'bGFzdA==' }),
      { ...chunk(text('')), usageMetadata: { totalTokenCount: 7 } },
    ].map((event) => collector.add(event).map(({ id }) => id))
    expect(calls.flat()).toEqual(['place-0', 'place-1', 'place-2'])
    expect(collector.reply()).toMatchObject({ usageMetadata: { totalTokenCount: 7 } })
    const [content] = decode(collector.reply()).messages
    expect(content).toEqual(
      model(
        { text: 'I think.', thought: true },
        text('So it is.'),
        { ...call('tool_search'), thoughtSignature: 'c2ln' },
        call('call_tool'),
        call('call_tool'),
        text('And'),
        { text: '', thoughtSignature: 'bGFzdA==' },
      ),
    )
  })

  it('keeps what arrived before an interruption', () => {
    const collector = collect()
    expect(decode(collector.reply()).messages).toEqual([])
    collector.add(chunk(text('I beg')))
    expect(decode(collector.reply()).messages).toEqual([model(text('I beg'))])
    collector.add(chunk(call('tool_search')))
    expect(decode(collector.reply())).toMatchObject({
      messages: [model(text('I beg'), call('tool_search'))],
      calls: [{ name: 'tool_search' }],
    })
  })

  it('uses the first candidate and ignores values that are not chunks', () => {
    const collector = collect()
    for (const invalid of [null, 'x', {}, { candidates: [null] }, { candidates: [{ index: 0 }] }]) {
      expect(collector.add(invalid)).toEqual([])
    }
    collector.add({ candidates: [{ index: 1, content: model(text('Two')) }] })
    collector.add(chunk(text('One')))
    expect(decode(collector.reply()).messages).toEqual([model(text('One'))])
  })
})
