import { describe, expect, it } from 'vitest'
import { createLatest, type Outcome } from './latest.ts'

function questions() {
  const outcomes: Outcome<string>[] = []
  const latest = createLatest<string>((outcome) => outcomes.push(outcome))
  const asked: { answer: (text: string) => void; fail: () => void; signal: AbortSignal }[] = []
  const question = (signal: AbortSignal) =>
    new Promise<string>((answer, reject) => {
      asked.push({ answer, fail: () => reject(new Error('no')), signal })
    })
  const ask = () => latest.ask(question)
  const askAgain = () => latest.askAgain(question)
  const settle = () => new Promise((resolve) => setTimeout(resolve))
  return { outcomes, latest, asked, ask, askAgain, settle }
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

  it('asks the same again after the answer that is under way, once', async () => {
    const { outcomes, asked, ask, askAgain, settle } = questions()
    ask()
    askAgain()
    askAgain()
    expect(asked).toHaveLength(1)
    asked[0]!.answer('first')
    await settle()
    expect(asked).toHaveLength(2)
    asked[1]!.fail()
    await settle()
    expect(outcomes.map(({ kind }) => kind)).toEqual(['answer', 'failure'])
    askAgain()
    expect(asked).toHaveLength(3)
  })

  it('does not ask again what was given up', async () => {
    const { asked, ask, askAgain, settle } = questions()
    ask()
    askAgain()
    ask()
    asked[1]!.answer('new')
    await settle()
    expect(asked).toHaveLength(2)
  })
})
