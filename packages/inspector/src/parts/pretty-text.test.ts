import { expect, it } from 'vitest'
import { prettyText } from './pretty-text.ts'

it('indents JSON and leaves everything else alone', () => {
  expect(prettyText('{"a":[1]}')).toEqual([{ kind: 'json', text: '{\n  "a": [\n    1\n  ]\n}' }])
  expect(prettyText('Two tools:\n\n{"a":1}\nread(path: string)\n[not json]')).toEqual([
    { kind: 'text', text: 'Two tools:\n' },
    { kind: 'json', text: '{\n  "a": 1\n}' },
    { kind: 'text', text: 'read(path: string)\n[not json]' },
  ])
})
