import type { JsonObject } from '../protocol/json-object.ts'
import { isObject } from '../protocol/json-object.ts'

export interface Frontmatter {
  readonly frontmatter: JsonObject
  /** The Markdown after it. */
  readonly body: string
}

export interface FrontmatterProblem {
  readonly problem: string
  /** The line of the file, starting at 1. */
  readonly line: number
}

const MAX_YAML = 65_536

/** Reads the YAML at the beginning of a `SKILL.md`. */
export async function readFrontmatter(text: string): Promise<Frontmatter | FrontmatterProblem> {
  const [, yaml, body = ''] =
    /^\ufeff?---[ \t]*\r?\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(text) ?? []
  if (yaml === undefined) {
    const problem = /^\ufeff?---[ \t]*(?:\r?\n|$)/.test(text)
      ? 'The frontmatter does not end. Add a line "---" after its last field.'
      : 'The file does not begin with frontmatter: a line "---", YAML, and another line "---".'
    return { problem, line: 1 }
  }
  if (yaml.length > MAX_YAML) return { problem: 'The frontmatter is too long.', line: 1 }
  // Loaded on first use, because most gateways have no skills.
  const { LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(yaml.replace(/\r\n?/g, '\n').trimEnd(), {
    lineCounter: lines,
    prettyErrors: false,
  })
  const [error] = document.errors
  if (error) {
    const { line } = lines.linePos(error.pos[0])
    const isColon = error.code === 'BLOCK_AS_IMPLICIT_KEY'
    const problem = isColon
      ? 'The frontmatter is not valid YAML: a text with ": " must be in quotes.'
      : `The frontmatter is not valid YAML: ${error.message}`
    return { problem, line: line + 1 }
  }
  try {
    // through JSON, as servers send it: without special values and shared references
    const frontmatter = JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 20 }) ?? null))
    if (isObject(frontmatter)) return { frontmatter, body }
    return { problem: 'The frontmatter is not a list of fields such as "name: …".', line: 2 }
  } catch (cause) {
    return { problem: `The frontmatter is not valid YAML: ${(cause as Error).message}`, line: 2 }
  }
}
