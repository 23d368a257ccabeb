import type { Tool } from '../catalogue/tool.ts'
import type { TextLanguage } from '../languages/detect-language.ts'
import type { Lexicon } from '../languages/lexicon.ts'
import type { ToolSlots } from './tool-slots.ts'

/** Which tools are described in which language other than English. */
export interface ToolLanguages {
  /** Call this when the tool of a slot changes. */
  forget(slot: number): void
  /** Whether a tool is described in the language of a query. */
  isIn(language: TextLanguage, slot: number): boolean
  /** How many tools are, or how many of the visible ones. */
  count(language: TextLanguage, isVisible?: (tool: Tool) => boolean): number
}

/** The first sentence or two of a description tell its language. */
const READ_LENGTH = 300

/** Reads the descriptions when the first foreign query asks, so that other queries cost nothing. */
export function createToolLanguages(slots: ToolSlots, lexicon: Lexicon): ToolLanguages {
  const unread = new Set<number>()
  /** By slot, without those that are in English. */
  const languages = new Map<number, TextLanguage>()
  return {
    forget(slot) {
      languages.delete(slot)
      unread.add(slot)
    },
    isIn(language, slot) {
      readAll()
      const own = languages.get(slot)
      return own !== undefined && isSame(own, language)
    },
    count(language, isVisible) {
      readAll()
      let count = 0
      for (const [slot, own] of languages) {
        if (isSame(own, language) && (!isVisible || isVisible(slots.tools[slot]!))) count++
      }
      return count
    },
  }

  function readAll(): void {
    for (const slot of unread) {
      const tool = slots.tools[slot]
      const language = tool && lexicon.detect(textOf(tool))
      if (language) languages.set(slot, language)
    }
    unread.clear()
  }
}

function isSame(one: TextLanguage, other: TextLanguage): boolean {
  if (one.script !== other.script) return false
  return one.codes.length === 0 || one.codes.some((code) => other.codes.includes(code))
}

function textOf({ name, title, description }: Tool): string {
  return (description || (title ?? name)).slice(0, READ_LENGTH)
}
