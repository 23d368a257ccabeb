import type { Problem } from 'toolsearch-checking-server'
import { expect } from 'vitest'
import type { Conversation } from './converse.fixtures.ts'

/** What the service rejected. */
export function rejections(chat: Conversation): Problem[] {
  return chat.server.requests.flatMap(({ problem }) => problem ?? [])
}

/** Every request starts with the previous one, up to the end of its last message. */
export function expectStableBytes(chat: Conversation): void {
  const texts = chat.accepted().map((request) => request.text)
  texts.slice(1).forEach((text, at) => {
    const before = texts[at]!
    expect(text.slice(0, lastMessageEnd(before))).toBe(before.slice(0, lastMessageEnd(before)))
  })
}

/** The end of the message list. The fields after it may change with every request. */
function lastMessageEnd(text: string): number {
  const start = /"(?:messages|input|contents)":\[/.exec(text)!
  let depth = 0
  let isQuoted = false
  for (let at = start.index + start[0].length - 1; at < text.length; at++) {
    const character = text[at]
    if (isQuoted) {
      if (character === '\\') at++
      else if (character === '"') isQuoted = false
    } else if (character === '"') isQuoted = true
    else if (character === '[' || character === '{') depth++
    else if (character === ']' || character === '}') {
      depth--
      if (depth === 0) return at
    }
  }
  return text.length
}
