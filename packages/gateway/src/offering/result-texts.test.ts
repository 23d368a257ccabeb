import { expect, it } from 'vitest'
import { createMemoryState } from '../state/memory-state.ts'
import { sharedTexts } from './result-texts.ts'

it('shared texts are dropped for all replicas: the oldest of the person who has the most', async () => {
  const state = createMemoryState()
  const one = sharedTexts(state, 1_000)
  const two = sharedTexts(state, 1_000)
  await one.put('of-ada', { text: 'a'.repeat(100), reader: 'ada' })
  for (let at = 0; at < 5; at++) {
    await one.put(`of-bob-${at}`, { text: 'b'.repeat(400), reader: 'bob' })
  }
  expect(await two.get('of-bob-0')).toBeUndefined()
  expect(await two.get('of-bob-4')).toMatchObject({ reader: 'bob' })
  expect(await two.get('of-ada')).toMatchObject({ reader: 'ada' })
})
