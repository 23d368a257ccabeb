import { describe, expect, it } from 'vitest'
import { createLatestRequest, type Outcome } from './latest-request.ts'

function setUp() {
  const outcomes: Outcome<string>[] = []
  const latest = createLatestRequest<string>((outcome) => outcomes.push(outcome))
  const sent: { answer: (text: string) => void; fail: () => void; signal: AbortSignal }[] = []
  const request = (signal: AbortSignal) =>
    new Promise<string>((answer, reject) => {
      sent.push({ answer, fail: () => reject(new Error('no')), signal })
    })
  const send = () => latest.send(request)
  const repeat = () => latest.repeat(request)
  const settle = () => new Promise((resolve) => setTimeout(resolve))
  return { outcomes, latest, sent, send, repeat, settle }
}

describe('createLatestRequest', () => {
  it('ignores an answer that arrives after a newer request', async () => {
    const { outcomes, sent, send, settle } = setUp()
    send()
    send()
    expect(sent.map(({ signal }) => signal.aborted)).toEqual([true, false])
    sent[1]!.answer('new')
    sent[0]!.answer('old')
    await settle()
    expect(outcomes).toEqual([{ kind: 'answer', value: 'new' }])
  })

  it('ignores the failure of an older request, and reports that of the latest', async () => {
    const { outcomes, sent, send, settle } = setUp()
    send()
    send()
    sent[0]!.fail()
    await settle()
    expect(outcomes).toEqual([])
    sent[1]!.fail()
    await settle()
    expect(outcomes).toMatchObject([{ kind: 'failure' }])
  })

  it('reports nothing after it is cancelled', async () => {
    const { outcomes, latest, sent, send, settle } = setUp()
    send()
    latest.cancel()
    sent[0]!.answer('late')
    await settle()
    expect(outcomes).toEqual([])
    expect(sent[0]!.signal.aborted).toBe(true)
  })

  it('repeats a request once, after the one in progress is answered', async () => {
    const { outcomes, sent, send, repeat, settle } = setUp()
    send()
    repeat()
    repeat()
    expect(sent).toHaveLength(1)
    sent[0]!.answer('first')
    await settle()
    expect(sent).toHaveLength(2)
    sent[1]!.fail()
    await settle()
    expect(outcomes.map(({ kind }) => kind)).toEqual(['answer', 'failure'])
    repeat()
    expect(sent).toHaveLength(3)
  })

  it('does not repeat a request that was replaced', async () => {
    const { sent, send, repeat, settle } = setUp()
    send()
    repeat()
    send()
    sent[1]!.answer('new')
    await settle()
    expect(sent).toHaveLength(2)
  })
})
