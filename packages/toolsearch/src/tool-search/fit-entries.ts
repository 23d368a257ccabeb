import type { Tool } from '../catalogue/tool.ts'
import { compactSignature } from './compact-signature.ts'
import { cutWords } from './cut-words.ts'
import { firstSentence } from './first-sentence.ts'
import type { SearchHit } from './search-outcome.ts'
import { writeParameters } from './write-parameters.ts'

/** How much a search result contains for each tool it loads. */
export type ResultDetail = 'schemas' | 'parameters' | 'signatures' | 'names'

type Entry = string | Readonly<Record<string, unknown>>

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
/** These, a tool without parameters, and its name. */
const MAX_LEVELS = TEXT_LENGTHS.length + 2

interface Form {
  readonly entry: Entry
  /** Whether the parameters are as complete as the level of detail promises. */
  readonly isComplete: boolean
}

/** Writes a form only if it is needed: most answers fit the budget in their first. */
type Level = () => Form

interface Fitted extends Form {
  readonly tokens: number
  /** The shorter forms. */
  readonly rest: readonly Level[]
}

/** Describes the hits in as much detail as the budget allows. The best hits are shortened last. */
export function fitEntries(
  hits: readonly SearchHit[],
  { detail, budget, countTokens, annotate, describeWith }: FitEntriesOptions,
): FittedEntries {
  const fitted = hits.map(({ tool }) => first(levelsOf(tool)))
  let total = fitted.reduce((sum, { tokens }) => sum + tokens, 0)
  // Descriptions are shortened for all tools before the parameters of one are left out.
  if (detail === 'parameters') {
    for (let left = MAX_LEVELS - 1; left > 0; left -= 1) {
      shortenFromEnd(({ rest }) => rest.length === left && 1)
    }
  } else shortenFromEnd(({ rest }) => rest.length)
  return {
    entries: fitted.map(({ entry }) => entry),
    shortened: fitted.filter(({ isComplete }) => !isComplete).length,
  }

  /** @param times how often a tool may be shortened */
  function shortenFromEnd(times: (form: Fitted) => number | false): void {
    for (let at = fitted.length - 1; at >= 0; at -= 1) {
      for (let left = Number(times(fitted[at]!)); left > 0 && total > budget; left -= 1) {
        const shorter = first(fitted[at]!.rest)
        total += shorter.tokens - fitted[at]!.tokens
        fitted[at] = shorter
      }
    }
  }

  function first([level, ...rest]: readonly Level[]): Fitted {
    const form = level!()
    return { ...form, tokens: countTokens(JSON.stringify(form.entry)), rest }
  }

  /** From the most detailed to the shortest. */
  function levelsOf(tool: Tool): Level[] {
    const { name, description, inputSchema } = tool
    const notes = annotate?.(tool)
    const nameOnly = () => (notes ? { name, ...notes } : name)
    const signature = () => ({
      name,
      description,
      arguments: compactSignature(inputSchema),
      ...notes,
    })
    if (detail === 'names') return [() => complete(nameOnly())]
    if (detail === 'signatures') {
      return [() => complete(signature()), () => incomplete(nameOnly())]
    }
    if (detail === 'schemas') {
      return [
        () => complete({ name, description, inputSchema, ...notes }),
        () => incomplete(signature()),
        () => incomplete(nameOnly()),
      ]
    }
    const elsewhere = describeWith === undefined ? {} : { schema: `call ${describeWith}` }
    const short = [
      () => incomplete({ name, description: summaryOf(tool), ...elsewhere, ...notes }),
      () => incomplete({ name, ...elsewhere, ...notes }),
    ]
    const [most, ...less] = TEXT_LENGTHS
    const written = writeTool(tool, most!, notes)
    if (!written) return short
    return [
      () => complete(written),
      ...less.map((lengths) => () => complete(writeTool(tool, lengths, notes)!)),
      ...short,
    ]
  }
}

/** Undefined if the parameters cannot be written in one line. */
function writeTool(
  { name, description, inputSchema }: Tool,
  lengths: { readonly description: number; readonly parameters: number },
  notes: object | undefined,
): Entry | undefined {
  const parameters = writeParameters(inputSchema, { descriptions: lengths.parameters })
  if (parameters === undefined) return undefined
  return {
    name,
    description: cutWords(description, lengths.description),
    arguments: parameters,
    ...notes,
  }
}

function summaryOf({ description }: Tool): string {
  return cutWords(firstSentence(description), TEXT_LENGTHS.at(-1)!.description)
}

function complete(entry: Entry): Form {
  return { entry, isComplete: true }
}

function incomplete(entry: Entry): Form {
  return { entry, isComplete: false }
}
