import { describe, expect, it } from 'vitest'
import { collect } from './collect.ts'
import { decode } from './decode.ts'

const said = (...parts: object[]) => ({ role: 'model', parts })
const text = (words: string) => ({ text: words })
const call = (name: string) => ({ functionCall: { name, args: {} } })

describe('a streamed reply of Gemini', () => {
  const chunk = (...parts: object[]) => ({ candidates: [{ index: 0, content: said(...parts) }] })

  it('joins texts of one kind, and none that bears a signature', () => {
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
    ].map((one) => collector.add(one).map(({ id }) => id))
    expect(calls.flat()).toEqual(['place-0', 'place-1', 'place-2'])
    expect(collector.reply()).toMatchObject({ usageMetadata: { totalTokenCount: 7 } })
    const [content] = decode(collector.reply()).messages
    expect(content).toEqual(
      said(
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

  it('keeps what came before it was cut off', () => {
    const collector = collect()
    expect(decode(collector.reply()).messages).toEqual([])
    collector.add(chunk(text('I beg')))
    expect(decode(collector.reply()).messages).toEqual([said(text('I beg'))])
    collector.add(chunk(call('tool_search')))
    expect(decode(collector.reply())).toMatchObject({
      messages: [said(text('I beg'), call('tool_search'))],
      calls: [{ name: 'tool_search' }],
    })
  })

  it('is that of the first candidate, and of nothing that is no chunk', () => {
    const collector = collect()
    for (const odd of [null, 'x', {}, { candidates: [null] }, { candidates: [{ index: 0 }] }]) {
      expect(collector.add(odd)).toEqual([])
    }
    collector.add({ candidates: [{ index: 1, content: said(text('Two')) }] })
    collector.add(chunk(text('One')))
    expect(decode(collector.reply()).messages).toEqual([said(text('One'))])
  })
})
