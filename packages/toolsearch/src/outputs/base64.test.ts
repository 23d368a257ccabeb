import fc from 'fast-check'
import { expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { decodeBase64, encodeBase64 } from './base64.ts'

it('encodes and decodes any bytes', async () => {
  await checkProperty(
    fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
      const data = encodeBase64(bytes)
      expect(data).toBe(Buffer.from(bytes).toString('base64'))
      expect(decodeBase64(data)).toEqual(bytes)
    }),
  )
})

it('encodes more bytes than a call can have arguments', () => {
  const bytes = Buffer.alloc(300_000, 'toolsearch')
  expect(encodeBase64(bytes)).toBe(bytes.toString('base64'))
})

it.each(['', 'A', 'AAA', 'A===', 'AA-_', 'ä'])('rejects %j, which is not base64', (data) => {
  expect(decodeBase64(data)).toBeUndefined()
})
