import type { JsonSchema, Tool } from '../catalogue/tool.ts'
import type { DocumentTexts } from '../semantics/document-vectors.ts'
import { wordsOf } from '../words/words.ts'
import type { Field } from './ranker.ts'

/** A searchable text of a tool. */
export interface ToolField {
  readonly field: Field
  readonly kind: FieldKind
  readonly text: string
}

/** Like `Field`, but separates parameter names, which say more, from parameter descriptions. */
export type FieldKind =
  | Exclude<Field, 'parameters' | 'semantics'>
  | 'parameterName'
  | 'parameterDescription'

const MAX_TEXT = 20_000
const MAX_DEPTH = 8

/** The searchable texts of a tool, one for each kind of field. */
export function toolFields(tool: Tool): readonly ToolField[] {
  const { names, descriptions } = readParameters(tool.inputSchema)
  return [
    { field: 'name', kind: 'name', text: `${localName(tool)} ${tool.title ?? ''}` },
    { field: 'source', kind: 'source', text: sourceName(tool) },
    { field: 'hint', kind: 'hint', text: [tool.searchHint ?? '', ...tool.tags].join(' ') },
    { field: 'description', kind: 'description', text: tool.description.slice(0, MAX_TEXT) },
    { field: 'parameters', kind: 'parameterName', text: names },
    { field: 'parameters', kind: 'parameterDescription', text: descriptions },
  ]
}

/** The texts of a tool to embed, with identifiers split into words. */
export function embeddingTexts(tool: Tool): DocumentTexts {
  const texts = toolFields(tool).map(({ text }) => text)
  const [name, source, hint, description, parameters] = texts
  const plainName = splitNames(name!)
  return {
    whole: `${splitNames(source!)} ${plainName}. ${hint} ${description}`,
    name: plainName,
    parameters: splitNames(parameters!),
  }
}

function splitNames(name: string): string {
  return wordsOf(name)
    .map(({ whole, pieces }) => (pieces.length > 0 ? pieces.join(' ') : whole))
    .join(' ')
}

/** The tool's name without the server prefix that MCP clients add. */
export function localName(tool: Tool): string {
  return tool.isMcp ? tool.name.replace(/^mcp__?.+?__(?=.)/, '') : tool.name
}

/** The name of the server or plugin that a tool comes from; empty if its source has no name. */
export function sourceName(tool: Tool): string {
  return tool.source.includes(':') ? tool.source.slice(tool.source.indexOf(':') + 1) : ''
}

function readParameters(schema: JsonSchema): { names: string; descriptions: string } {
  const names: string[] = []
  const descriptions: string[] = []
  // Schemas can be megabytes by mistake. Their beginning is enough to find the tool by.
  let remaining = MAX_TEXT
  visit(schema, 0)
  return { names: names.join(' '), descriptions: descriptions.join(' ') }

  function keep(list: string[], text: unknown): void {
    if (typeof text !== 'string' || remaining <= 0) return
    const cut = text.slice(0, remaining)
    remaining -= cut.length
    list.push(cut)
  }

  function visit(node: unknown, depth: number): void {
    if (typeof node !== 'object' || node === null || depth > MAX_DEPTH || remaining <= 0) return
    const { properties, items, enum: values, anyOf, oneOf, allOf } = node as JsonSchema
    const { $defs, definitions } = node as JsonSchema
    if (depth > 0) keep(descriptions, (node as JsonSchema).description)
    if (Array.isArray(values)) for (const value of values) keep(descriptions, value)
    for (const [name, property] of Object.entries(properties ?? {})) {
      keep(names, name)
      visit(property, depth + 1)
    }
    for (const list of [anyOf, oneOf, allOf]) {
      if (Array.isArray(list)) for (const branch of list) visit(branch, depth + 1)
    }
    for (const shared of Object.values({ ...($defs as object), ...(definitions as object) })) {
      visit(shared, depth + 1)
    }
    visit(items, depth + 1)
  }
}
