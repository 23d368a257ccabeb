import { describe, expect, it } from 'vitest'
import { createEventReader } from './read-events.ts'

function read(...pieces: string[]): string[] {
  const given: string[] = []
  const reader = createEventReader((data) => given.push(data))
  for (const piece of pieces) reader(piece)
  return given
}

describe('createEventReader', () => {
  it.each([
    ['one event', ['data: {"a":1}\n\n'], ['{"a":1}']],
    ['two in one piece', ['data: a\n\ndata: b\n\n'], ['a', 'b']],
    ['one in many pieces', ['da', 'ta: a', 'b\n', '\n'], ['ab']],
    ['several lines of data', ['data: a\ndata: b\n\n'], ['a\nb']],
    ['no space after the colon', ['data:a\n\n'], ['a']],
    ['lines that end otherwise', ['data: a\r\n\r\ndata: b\r', '\n\r\n'], ['a', 'b']],
    ['comments, names and numbers', [': ping\n\nevent: x\nid: 7\ndata: a\n\n'], ['a']],
    ['what is not finished', ['data: a\n'], []],
  ])('reads %s', (_, pieces, expected) => {
    expect(read(...pieces)).toEqual(expected)
  })
})
