import type { JsonSchema, Tool } from '../catalogue/tool.ts'
import type { DocumentTexts } from '../semantics/document-vectors.ts'
import { withoutPromotion } from '../words/promotional-text.ts'
import { rawWords, wordsOf } from '../words/words.ts'
import type { Field } from './ranker.ts'

/** A searchable text of a tool. */
export interface ToolField {
  readonly field: Field
  readonly kind: FieldKind
  readonly text: string
  /** Words that were left out but make the text longer: a short rest must not count for more. */
  readonly omitted?: number
}

/** Like `Field`, but separates parameter names, which say more, from parameter descriptions. */
export type FieldKind =
  | Exclude<Field, 'parameters' | 'semantics' | 'use'>
  | 'parameterName'
  | 'parameterDescription'

/** So much of a text is read. Nearly every published tool needs less. */
export const MAX_TEXT = 5_000
/** A description says what the tool is for in so many characters. What follows dilutes its meaning. */
const MAX_MEANING = 300
/** A name with its title. */
const MAX_NAME = 500
const MAX_DEPTH = 8

/** The searchable texts of a tool, one for each kind of field. */
export function toolFields(tool: Tool): readonly ToolField[] {
  const { names, descriptions } = readParameters(tool.inputSchema)
  return [
    { field: 'name', kind: 'name', text: cut(`${localName(tool)} ${tool.title ?? ''}`, MAX_NAME) },
    { field: 'source', kind: 'source', text: cut(sourceName(tool), MAX_NAME) },
    { field: 'hint', kind: 'hint', text: cut([tool.searchHint ?? '', ...tool.tags].join(' ')) },
    { field: 'description', kind: 'description', ...descriptionOf(tool) },
    { field: 'parameters', kind: 'parameterName', text: names },
    { field: 'parameters', kind: 'parameterDescription', text: descriptions },
  ]
}

/** The texts of a tool to embed, with identifiers split into words. */
export function embeddingTexts(tool: Tool): DocumentTexts {
  const texts = toolFields({ ...tool, description: '' }).map(({ text }) => text)
  const [name, source, hint, , parameters] = texts
  const description = withoutPromotion(tool.description.slice(0, MAX_MEANING))
  const plainName = splitNames(name!)
  return {
    whole: `${splitNames(source!)} ${plainName}. ${hint} ${description}`,
    name: plainName,
    parameters: splitNames(parameters!),
  }
}

function descriptionOf({ description }: Tool): Pick<ToolField, 'text' | 'omitted'> {
  const text = cut(description)
  const kept = withoutPromotion(text)
  return kept === text
    ? { text }
    : { text: kept, omitted: rawWords(text).length - rawWords(kept).length }
}

function cut(text: string, length = MAX_TEXT): string {
  return text.length > length ? text.slice(0, length) : text
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

interface ParameterTexts {
  readonly names: string[]
  readonly descriptions: string[]
  /** How many more characters are read. */
  remaining: number
}

function readParameters(schema: JsonSchema): { names: string; descriptions: string } {
  // Schemas can be megabytes by mistake. Their beginning is enough to find the tool by.
  const texts: ParameterTexts = { names: [], descriptions: [], remaining: MAX_TEXT }
  visit(schema, 0, texts)
  return { names: texts.names.join(' '), descriptions: texts.descriptions.join(' ') }
}

function visit(node: unknown, depth: number, texts: ParameterTexts): void {
  if (typeof node !== 'object' || node === null) return
  if (depth > MAX_DEPTH || texts.remaining <= 0) return
  const { description, properties, items, enum: values } = node as JsonSchema
  const { anyOf, oneOf, allOf, $defs, definitions } = node as JsonSchema
  if (depth > 0) keep(description, texts.descriptions, texts)
  if (Array.isArray(values)) for (const value of values) keep(value, texts.descriptions, texts)
  if (properties) {
    for (const name of Object.keys(properties)) {
      keep(name, texts.names, texts)
      visit((properties as JsonSchema)[name], depth + 1, texts)
    }
  }
  visitAll(anyOf, depth, texts)
  visitAll(oneOf, depth, texts)
  visitAll(allOf, depth, texts)
  if ($defs || definitions) {
    visitAll(Object.values({ ...($defs as object), ...(definitions as object) }), depth, texts)
  }
  visit(items, depth + 1, texts)
}

function visitAll(nodes: unknown, depth: number, texts: ParameterTexts): void {
  if (Array.isArray(nodes)) for (const node of nodes) visit(node, depth + 1, texts)
}

function keep(text: unknown, list: string[], texts: ParameterTexts): void {
  if (typeof text !== 'string' || texts.remaining <= 0) return
  const cut = text.length > texts.remaining ? text.slice(0, texts.remaining) : text
  texts.remaining -= cut.length
  list.push(cut)
}
