import { type AvailableTools, applyBlock, availableAtStart } from './available-tools.ts'
import {
  type Block,
  blocksOf,
  type MessagesBody,
  referencesIn,
  type Tool,
} from './messages-body.ts'

/** A part of the prompt. Parts of messages have the block and its path. */
export interface PromptPart {
  text: string
  block?: Block
  path?: string
}

/**
 * The prompt as Claude reads it: tools that are not deferred, system prompt, messages. A definition
 * that a block reveals follows the block.
 */
export function anthropicPrompt(body: MessagesBody): string[] {
  return promptParts(body).map(({ text }) => text)
}

export function promptParts(body: MessagesBody): PromptPart[] {
  const { tools = [], system = [], messages = [] } = body
  const available = availableAtStart(body)
  const texts = tools.filter((tool) => !tool.defer_loading).map(render)
  // The first deferred tool adds a preamble, so adding it later invalidates the cache.
  if (tools.some((tool) => tool.defer_loading)) texts.push('(some tools are deferred)')
  texts.push(...blocksOf(system).map((block) => `system: ${render(block)}`))
  const prompt: PromptPart[] = texts.map((text) => ({ text }))

  const lastUser = messages.findLastIndex(({ role }) => role === 'user')
  for (const [index, { role, content, clear_at }] of messages.entries()) {
    if (clear_at === 'next_user_message' && index < lastUser) continue
    for (const [at, block] of blocksOf(content).entries()) {
      const path = `messages.${index}.content.${at}`
      prompt.push({ text: `${role}: ${render(block)}`, block, path })
      applyBlock(available, block)
      prompt.push(...definitionsIn(block, available).map((text) => ({ text })))
    }
  }
  return prompt
}

function definitionsIn(block: Block, available: AvailableTools): string[] {
  const { known } = available
  if (block.type === 'compaction') {
    return (block.tool_changes ?? []).flatMap((change) => definitionsIn(change, available))
  }
  const names = referencesIn(block).map((reference) => reference.tool_name)
  if (block.type === 'tool_addition' && !block.tool?.definition) names.push(block.tool?.name)
  return names.flatMap((name) => {
    const tool = known.get(name ?? '')
    return tool ? [render(tool)] : []
  })
}

// The model does not read cache control and deferral.
function render(part: Block | Tool): string {
  const text = JSON.stringify(part)
  if (!/cache_control|defer_loading/.test(text)) return text
  return JSON.stringify(part, (key, value) =>
    key === 'cache_control' || key === 'defer_loading' ? undefined : value,
  )
}
