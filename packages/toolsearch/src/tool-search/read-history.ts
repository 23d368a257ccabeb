import { unwrapCall } from './call-tool.ts'

/**
 * The tools a conversation has loaded, read from its messages alone, in order, each once.
 *
 * Understands the shapes of Anthropic, OpenAI (both APIs), Gemini and the AI SDK (also those it
 * keeps for a page): references, calls, added definitions, and the results of the search tool. A
 * call through `call_tool` counts as one of the tool it names. Names are not checked: some may be
 * gone from the catalogue by now.
 */
export function readHistory(messages: readonly unknown[], searchToolName: string): string[] {
  const names = new Set<string>()
  const searchCalls = new Set<unknown>()
  for (const message of messages) visit(message, 0)
  names.delete(searchToolName)
  return [...names]

  function visit(node: unknown, depth: number): void {
    if (typeof node !== 'object' || node === null || depth > 12) return
    if (Array.isArray(node)) {
      for (const one of node) visit(one, depth + 1)
      return
    }
    const block = node as Block
    if (block.type === 'tool_removal') {
      const gone = [...namesIn((block.tool ?? {}) as Block), ...strings([block.toolName])]
      for (const name of gone) names.delete(name)
      return
    }
    for (const name of namesIn(block)) names.add(name)
    const called = calledName(block)
    if (called === searchToolName) {
      for (const id of [block.id, block.call_id, block.toolCallId]) {
        if (id !== undefined) searchCalls.add(id)
      }
    } else if (called !== undefined) names.add(called)
    if (isSearchResult(block)) for (const name of namesInResult(block)) names.add(name)
    // arguments, schemas and results are somebody's data, where the same keys mean other things
    for (const [key, child] of Object.entries(block)) {
      if (!OPAQUE.has(key)) visit(child, depth + 1)
    }
  }

  function isSearchResult(block: Block): boolean {
    const id =
      block.tool_use_id ?? block.tool_call_id ?? (block.type !== 'tool-call' && block.toolCallId)
    if (id !== undefined && id !== false) return searchCalls.has(id)
    if (typeof block.type === 'string' && block.type.endsWith('_output')) {
      return searchCalls.has(block.call_id)
    }
    return block.response !== undefined && block.name === searchToolName
  }
}

type Block = Record<string, unknown>

const OPAQUE = new Set([
  'input',
  'arguments',
  'args',
  'input_schema',
  'inputSchema',
  'parameters',
  'output',
  'response',
  'result',
  'structuredContent',
])
const CALLS = new Set(['tool_use', 'function_call', 'tool-call', 'tool_call'])

function namesIn(block: Block): string[] {
  if (block.type === 'tool_reference') return strings([block.tool_name ?? block.name])
  // the AI SDK's spellings of Anthropic's blocks and of OpenAI's additional tools
  if (block.type === 'tool-reference') return strings([block.toolName])
  if (block.type === 'tool_addition') {
    return strings([block.toolName ?? (block.tool as Block | undefined)?.name])
  }
  if (Array.isArray(block.additionalTools)) return namesOf(block.additionalTools)
  if (block.type === 'tool_definition')
    return strings([(block.definition as Block | undefined)?.name])
  if (block.type === 'tool_search_output' || block.type === 'additional_tools') {
    return namesOf(block.tools)
  }
  return []
}

function calledName(block: Block): string | undefined {
  // a call and its result in one, as the AI SDK keeps them for a page
  if (typeof block.type === 'string' && typeof block.state === 'string' && 'toolCallId' in block) {
    return innerName(block.toolName ?? /^tool-(.*)$/s.exec(block.type)?.[1], block.input)
  }
  if (CALLS.has(block.type as string)) {
    return innerName(block.name ?? block.toolName, block.input ?? block.arguments ?? block.args)
  }
  // Chat Completions: { id, type: 'function', function: { name, arguments: '…' } }
  const { function: called } = block as { function?: Block }
  if (called?.arguments !== undefined) return innerName(called.name, called.arguments)
  // Gemini: { functionCall: { name, args } }
  const { functionCall } = block as { functionCall?: Block }
  return innerName(functionCall?.name, functionCall?.args)
}

/** The tool that a call is about, which is another one if it goes through the bridge. */
function innerName(name: unknown, given: unknown): string | undefined {
  if (typeof name !== 'string') return undefined
  // without a name inside, it is a call of somebody's own tool, or of none
  return strings([unwrapCall({ name, arguments: given }).name, name])[0]
}

function namesInResult(block: Block): string[] {
  const body = block.content ?? block.output ?? block.response ?? block.result
  const references = referencesIn(body)
  if (references.length > 0) return references
  return textsIn(body).flatMap((text) => {
    try {
      return namesInBody(JSON.parse(text))
    } catch {
      const [found = ''] = text.split(/^Not found:$/m)
      return [...found.matchAll(/^- (\S+)$/gm)].map(([, name]) => name!)
    }
  })
}

function referencesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  if (Array.isArray(node)) return node.flatMap(referencesIn)
  return [...namesIn(node as Block), ...Object.values(node).flatMap(referencesIn)]
}

/** The texts in a result, however deep a provider wraps them; objects count as their JSON. */
function textsIn(body: unknown): string[] {
  if (typeof body === 'string') return [body]
  if (Array.isArray(body)) return body.flatMap(textsIn)
  if (typeof body !== 'object' || body === null) return []
  const { text, value, output, content, result } = body as Block
  const inner = text ?? value ?? output ?? content ?? result
  return inner === undefined ? [JSON.stringify(body)] : textsIn(inner)
}

function namesInBody(body: unknown): string[] {
  if (Array.isArray(body)) return body.flatMap((one) => namesIn((one ?? {}) as Block))
  if (typeof body !== 'object' || body === null) return []
  const { loaded, already_loaded, tools, matches, results } = body as Block
  return [loaded, already_loaded, tools, matches, results].flatMap(namesOf)
}

function namesOf(list: unknown): string[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null) return strings([one])
    const { type, name, tools, function: called } = one as Block
    if (type === 'namespace') return namesOf(tools)
    return strings([name ?? (called as Block | undefined)?.name])
  })
}

function strings(values: readonly unknown[]): string[] {
  return values.filter((value): value is string => typeof value === 'string' && value !== '')
}
