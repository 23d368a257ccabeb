import { expect, it } from 'vitest'
import { COMPARE_ROWS_MODULE } from '../packages/toolsearch/src/semantics/compare-rows-module.ts'
import { assembleCompareRows } from './assemble-compare-rows.ts'

it('toolsearch contains the module that is assembled here', () => {
  expect(COMPARE_ROWS_MODULE).toBe(Buffer.from(assembleCompareRows()).toString('base64'))
})
