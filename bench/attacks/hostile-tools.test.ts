import { describe, expect, it } from 'vitest'
import { ATTACKS, commonWords } from './hostile-tools.ts'

const tools = [
  { name: 'mcp__github__create_issue', description: 'Create an issue in a repository.' },
  { name: 'mcp__github__list_issues', description: 'List the issues of a repository.' },
  { name: 'send_mail', description: 'Send a mail to a repository owner.' },
]
const words = commonWords(tools)

it('counts the words of tools without those of servers', () => {
  expect(words[0]).toBe('repository')
  expect(words).toContain('mail')
  expect(words).not.toContain('github')
})

describe.each(ATTACKS)('$name', ({ write }) => {
  const surroundings = { words, requests: ['mail a colleague', 'open an issue'], wanted: tools }

  it.each([1, 3])('writes %i tools of one server, always the same', (count) => {
    const hostile = write(surroundings, count)
    expect(new Set(hostile.map(({ name }) => name)).size).toBe(count)
    expect(hostile.every(({ source }) => source === 'mcp:helper')).toBe(true)
    expect(write(surroundings, count)).toEqual(hostile)
  })
})
