import { describe, expect, it } from 'vitest'
import { suggestNames } from './suggest-names.ts'

describe('suggestNames', () => {
  it('suggests names with the prefix first, and at most 20', () => {
    const tools = ['chat__send_mail', 'mail__read', 'Mail__send'].map((name) => ({ name }))
    expect(suggestNames(tools, 'mail')).toEqual(['mail__read', 'Mail__send', 'chat__send_mail'])
    const many = Array.from({ length: 99 }, (_, at) => ({ name: `tool_${at}` }))
    expect(suggestNames(many, '')).toHaveLength(20)
  })
})
