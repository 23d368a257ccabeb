import { blocksOf } from './blocks-of.ts'
import type { MessagesBody, WireBlock } from './messages-body.ts'

/** A block and where it is, as the service writes it: `messages.1.content.0`. */
export interface PlacedBlock {
  block: WireBlock
  path: string
  role: string
}

/** All blocks of all messages in order; those within a tool result are not among them. */
export function placedBlocks({ messages = [] }: MessagesBody): PlacedBlock[] {
  return messages.flatMap(({ role, content }, message) =>
    blocksOf(content).map((block, index) => ({
      block,
      role,
      path: `messages.${message}.content.${index}`,
    })),
  )
}
