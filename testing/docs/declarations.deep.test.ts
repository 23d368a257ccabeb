import { expect, it } from 'vitest'
import { compileSamples } from './compile-samples.ts'

it('the declarations of our packages compile under strict, also without skipLibCheck', async () => {
  const { problems } = await compileSamples({ skipLibCheck: false })
  expect(problems).toEqual([])
})
