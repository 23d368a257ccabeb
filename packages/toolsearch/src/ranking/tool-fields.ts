import type { JsonSchema, Tool } from '../catalogue/tool.ts'
import { wordsOf } from '../words/words.ts'
import type { Field } from './ranker.ts'

/** The texts of a tool that can be searched, by field. Several texts of one field are one text. */
export interface ToolField {
  readonly field: Field
  readonly kind: FieldKind
  readonly text: string
}

/** As `Field`, but a parameter's name tells more than its description. */
export type FieldKind =
  | Exclude<Field, 'parameters' | 'meaning'>
  | 'parameterName'
  | 'parameterDescription'

const MAX_TEXT = 20_000
const MAX_DEPTH = 8

export function toolFields(tool: Tool): readonly ToolField[] {
  const { names, descriptions } = readParameters(tool.inputSchema)
  return [
    { field: 'name', kind: 'name', text: `${localName(tool)} ${tool.title ?? ''}` },
    { field: 'source', kind: 'source', text: sourceWords(tool) },
    { field: 'hint', kind: 'hint', text: [tool.searchHint ?? '', ...tool.tags].join(' ') },
    { field: 'description', kind: 'description', text: tool.description.slice(0, MAX_TEXT) },
    { field: 'parameters', kind: 'parameterName', text: names },
    { field: 'parameters', kind: 'parameterDescription', text: descriptions },
  ]
}

/** What a tool means, in plain words with names taken apart. */
export interface ToolMeaning {
  /** All but the parameters as one text. */
  readonly whole: string
  readonly name: string
  readonly parameters: string
}

export function toolMeaning(tool: Tool): ToolMeaning {
  const texts = toolFields(tool).map(({ text }) => text)
  const [name, source, hint, description, parameters] = texts
  const plainName = spelledOut(name!)
  return {
    whole: `${spelledOut(source!)} ${plainName}. ${hint} ${description}`,
    name: plainName,
    parameters: spelledOut(parameters!),
  }
}

function spelledOut(name: string): string {
  return wordsOf(name)
    .map(({ whole, pieces }) => (pieces.length > 0 ? pieces.join(' ') : whole))
    .join(' ')
}

/** A name without the server that an MCP client puts before it. */
export function localName(tool: Tool): string {
  return tool.isMcp ? tool.name.replace(/^mcp__?.+?__(?=.)/, '') : tool.name
}

function sourceWords(tool: Tool): string {
  return tool.source.includes(':') ? tool.source.slice(tool.source.indexOf(':') + 1) : ''
}

function readParameters(schema: JsonSchema): { names: string; descriptions: string } {
  const names: string[] = []
  const descriptions: string[] = []
  // a text of a megabyte is somebody's mistake; what comes first in it is enough to find it by
  let left = MAX_TEXT
  visit(schema, 0)
  return { names: names.join(' '), descriptions: descriptions.join(' ') }

  function keep(list: string[], text: unknown): void {
    if (typeof text !== 'string' || left <= 0) return
    const cut = text.slice(0, left)
    left -= cut.length
    list.push(cut)
  }

  function visit(node: unknown, depth: number): void {
    if (typeof node !== 'object' || node === null || depth > MAX_DEPTH || left <= 0) return
    const { properties, items, enum: values, anyOf, oneOf, allOf } = node as JsonSchema
    const { $defs, definitions } = node as JsonSchema
    if (depth > 0) keep(descriptions, (node as JsonSchema).description)
    if (Array.isArray(values)) for (const value of values) keep(descriptions, value)
    for (const [name, property] of Object.entries(properties ?? {})) {
      keep(names, name)
      visit(property, depth + 1)
    }
    for (const list of [anyOf, oneOf, allOf]) {
      if (Array.isArray(list)) for (const one of list) visit(one, depth + 1)
    }
    for (const one of Object.values({ ...($defs as object), ...(definitions as object) })) {
      visit(one, depth + 1)
    }
    visit(items, depth + 1)
  }
}
