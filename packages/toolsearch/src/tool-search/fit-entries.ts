import type { Tool } from '../catalogue/tool.ts'
import { compactSignature } from './compact-signature.ts'
import { cutWords } from './cut-words.ts'
import { firstSentence } from './first-sentence.ts'
import type { SearchHit } from './search-outcome.ts'
import { writeParameters } from './write-parameters.ts'

/** How much a search result contains for each tool it loads. */
export type ResultDetail = 'schemas' | 'parameters' | 'signatures' | 'names'

export type Entry = string | Readonly<Record<string, unknown>>

export interface FitEntriesOptions {
  readonly detail: ResultDetail
  readonly budget: number
  readonly countTokens: (text: string) => number
  readonly annotate: ((tool: Tool) => Readonly<Record<string, unknown>>) | undefined
  readonly describeWith: string | undefined
}

export interface FittedEntries {
  readonly entries: readonly Entry[]
  /** How many entries lack the parameters that the level of detail promises. */
  readonly shortened: number
}

/** Lengths of a tool's description and of those of its parameters, in characters. */
const TEXT_LENGTHS = [
  { description: 300, parameters: 100 },
  { description: 160, parameters: 60 },
  { description: 100, parameters: 0 },
]

interface Form {
  readonly entry: Entry
  /** Whether the parameters are as complete as the level of detail promises. */
  readonly isComplete: boolean
}

/** Describes the hits in as much detail as the budget allows. The best hits are shortened last. */
export function fitEntries(
  hits: readonly SearchHit[],
  { detail, budget, countTokens, annotate, describeWith }: FitEntriesOptions,
): FittedEntries {
  const forms = hits.map(({ tool }) =>
    formsOf(tool).map((form) => ({ ...form, tokens: countTokens(JSON.stringify(form.entry)) })),
  )
  let total = forms.reduce((sum, [form]) => sum + form!.tokens, 0)
  // Descriptions are shortened for all tools before the parameters of one are left out.
  if (detail === 'parameters') {
    for (const length of [5, 4, 3, 2]) {
      for (const levels of forms.toReversed()) if (levels.length === length) shorten(levels)
    }
  } else {
    for (const levels of forms.toReversed()) while (levels.length > 1 && shorten(levels)) {}
  }
  return {
    entries: forms.map(([form]) => form!.entry),
    shortened: forms.filter(([form]) => !form!.isComplete).length,
  }

  /** Returns false if everything fits. */
  function shorten(levels: { tokens: number }[]): boolean {
    if (total <= budget) return false
    const [from, to] = levels
    total += to!.tokens - from!.tokens
    levels.shift()
    return true
  }

  /** From the most detailed to the shortest. */
  function formsOf(tool: Tool): Form[] {
    const { name, description, inputSchema } = tool
    const notes = annotate?.(tool)
    const nameOnly = notes ? { name, ...notes } : name
    const signature = { name, description, arguments: compactSignature(inputSchema), ...notes }
    const schema = { name, description, inputSchema, ...notes }
    if (detail === 'names') return [complete(nameOnly)]
    if (detail === 'signatures') return [complete(signature), incomplete(nameOnly)]
    if (detail === 'schemas') return [complete(schema), incomplete(signature), incomplete(nameOnly)]
    const summary = cutWords(firstSentence(description), TEXT_LENGTHS.at(-1)!.description)
    const elsewhere = describeWith === undefined ? {} : { schema: `call ${describeWith}` }
    const short = [
      incomplete({ name, description: summary, ...elsewhere, ...notes }),
      incomplete({ name, ...elsewhere, ...notes }),
    ]
    const isWritable = writeParameters(inputSchema) !== undefined
    return [...(isWritable ? written(tool, notes) : []), ...short]
  }
}

function written({ name, description, inputSchema }: Tool, notes: object | undefined): Form[] {
  return TEXT_LENGTHS.map((lengths) =>
    complete({
      name,
      description: cutWords(description, lengths.description),
      arguments: writeParameters(inputSchema, { descriptions: lengths.parameters }),
      ...notes,
    }),
  )
}

function complete(entry: Entry): Form {
  return { entry, isComplete: true }
}

function incomplete(entry: Entry): Form {
  return { entry, isComplete: false }
}
