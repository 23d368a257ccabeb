import { expect, it } from 'vitest'
import { isReadAs } from './resembling-names.ts'

it.each([
  'Project',
  'PROJECT',
  'ｐroject',
  ' project',
  'pro\u00adject',
  'pro\u200bject',
  'project\0',
  'project\u{e0020}',
  'project\ufe0f',
  'project\u{e0100}',
  'pro\u034fject',
  'project\u3164',
  '\u115fproject',
  'project\u180b',
  'project\u17b4',
  'project\u2800',
])('takes %j for "project"', (key) => {
  expect(isReadAs(key, 'project')).toBe(true)
})

it.each(['projects', 'projéct', 'pro_ject', ''])('does not take %j for "project"', (key) => {
  expect(isReadAs(key, 'project')).toBe(false)
})
