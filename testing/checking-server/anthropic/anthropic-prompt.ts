import { type AvailableTools, availableAtStart, noteBlock } from './available-tools.ts'
import {
  type Block,
  blocksOf,
  type MessagesBody,
  referencesIn,
  type Tool,
} from './messages-body.ts'

/**
 * The prompt as Claude reads it: tools that are not deferred, system, messages. A definition that
 * a block reveals stands where the block is.
 */
export function anthropicPrompt(body: MessagesBody): string[] {
  const { tools = [], system = [], messages = [] } = body
  const available = availableAtStart(body)
  const prompt = tools.filter((tool) => !tool.defer_loading).map(rendered)
  // the first deferred tool brings a preamble, so it breaks the cache when it comes late
  if (tools.some((tool) => tool.defer_loading)) prompt.push('(some tools are deferred)')
  prompt.push(...blocksOf(system).map((block) => `system: ${rendered(block)}`))

  const lastUser = messages.findLastIndex(({ role }) => role === 'user')
  for (const [index, { role, content, clear_at }] of messages.entries()) {
    if (clear_at === 'next_user_message' && index < lastUser) continue
    for (const block of blocksOf(content)) {
      prompt.push(`${role}: ${rendered(block)}`)
      noteBlock(available, block)
      prompt.push(...definitionsIn(block, available))
    }
  }
  return prompt
}

function definitionsIn(block: Block, { known }: AvailableTools): string[] {
  const names = referencesIn(block).map((reference) => reference.tool_name)
  if (block.type === 'tool_addition' && !block.tool?.definition) names.push(block.tool?.name)
  return names.flatMap((name) => {
    const tool = known.get(name ?? '')
    return tool ? [rendered(tool)] : []
  })
}

// where the cache is cut and what is deferred is no part of what the model reads
function rendered(part: Block | Tool): string {
  return JSON.stringify(part, (key, value) =>
    key === 'cache_control' || key === 'defer_loading' ? undefined : value,
  )
}
