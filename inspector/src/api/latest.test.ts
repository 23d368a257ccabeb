import { describe, expect, it } from 'vitest'
import { createLatest, type Outcome } from './latest.ts'

function questions() {
  const outcomes: Outcome<string>[] = []
  const latest = createLatest<string>((outcome) => outcomes.push(outcome))
  const asked: { answer: (text: string) => void; fail: () => void; signal: AbortSignal }[] = []
  const ask = () =>
    latest.ask(
      (signal) =>
        new Promise((answer, reject) => {
          asked.push({ answer, fail: () => reject(new Error('no')), signal })
        }),
    )
  const settle = () => new Promise((resolve) => setTimeout(resolve))
  return { outcomes, latest, asked, ask, settle }
}

describe('createLatest', () => {
  it('drops an answer that comes after a newer question', async () => {
    const { outcomes, asked, ask, settle } = questions()
    ask()
    ask()
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, false])
    asked[1]!.answer('new')
    asked[0]!.answer('old')
    await settle()
    expect(outcomes).toEqual([{ kind: 'answer', value: 'new' }])
  })

  it('drops the failure of an older question too, and gives that of the last', async () => {
    const { outcomes, asked, ask, settle } = questions()
    ask()
    ask()
    asked[0]!.fail()
    await settle()
    expect(outcomes).toEqual([])
    asked[1]!.fail()
    await settle()
    expect(outcomes).toMatchObject([{ kind: 'failure' }])
  })

  it('gives nothing after the end', async () => {
    const { outcomes, latest, asked, ask, settle } = questions()
    ask()
    latest.end()
    asked[0]!.answer('late')
    await settle()
    expect(outcomes).toEqual([])
    expect(asked[0]!.signal.aborted).toBe(true)
  })
})
