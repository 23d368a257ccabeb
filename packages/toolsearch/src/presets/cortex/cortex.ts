import { queryReader, type ReadQuery } from '../../query/parse-query.ts'
import { freezePreset, type Preset } from '../../session/preset.ts'
import { ignoreBlank } from '../../tool-search/finders/blank-query.ts'
import { byExactName } from '../../tool-search/finders/by-exact-name.ts'
import { byPrefix } from '../../tool-search/finders/by-prefix.ts'
import { bySelect } from '../../tool-search/finders/by-select.ts'
import { byWords } from '../../tool-search/finders/by-words.ts'
import { limitFrom, withOptionalQuery } from '../../tool-search/read-arguments.ts'
import { type ResultFormat, usedIn } from '../../tool-search/search-answer.ts'
import type { HitStatus } from '../../tool-search/search-outcome.ts'
import { EVERY_MATCH } from '../every-match.ts'
import { cortexRanker } from './cortex-ranker.ts'

const readWithPunctuation = queryReader({ punctuation: 'keep' })

/** In cortex, one `+` marks a required word, and a word that is required twice counts once. */
const readCortexQuery: ReadQuery = (text, isPlain) => {
  const query = readWithPunctuation(text, isPlain)
  if (query.kind !== 'words' || isPlain) return query
  const words = query.text.toLowerCase().split(/\s+/)
  const isRequired = (word: string) => word.startsWith('+')
  const marked = words.filter(isRequired).map((word) => word.slice(1))
  const required = [...new Set(marked)].filter(Boolean)
  return { ...query, required, terms: [...required, ...words.filter((word) => !isRequired(word))] }
}

/**
 * cortex's `ToolSearch`: a list of names at the start of the context, all five query forms, and
 * results that contain only the names of loaded tools. The next request contains the schemas.
 * See docs/presets.md.
 */
export const cortex: Preset = freezePreset({
  preset: 'cortex',
  searchTool: {
    name: 'ToolSearch',
    description:
      'Load tools from the list of available tools. You do not know the parameters of a tool before ' +
      'it is loaded. A loaded tool is callable on the next turn and stays loaded.',
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          description:
            'If you know the names, "select:A,B". Otherwise a single name, a name prefix ' +
            '("mcp__obsidian"), or keywords to find tools by what they do. "+word" must occur in the ' +
            'name or description ("+slack message").',
        },
        max_results: {
          type: 'number',
          description: 'Maximum number of tools to load. Does not apply to select.',
          default: 5,
        },
      },
      required: ['query'],
    },
    execution: 'sequential',
  },
  activation: 'always',
  deferral: { mcp: 'deferred', others: 'eager' },
  ranker: cortexRanker,
  readArguments: withOptionalQuery(limitFrom('max_results')),
  readQuery: readCortexQuery,
  finders: [
    bySelect(),
    byExactName('skip'),
    ignoreBlank,
    byPrefix({ eager: 'skip' }),
    byWords({ requiredIn: 'name+description', eager: 'skip', ties: 'catalogue' }),
  ],
  selection: { ...EVERY_MATCH, defaultLimit: 5, maxLimit: Number.POSITIVE_INFINITY },
  announcement: {
    style: 'names',
    placement: 'live',
    budget: Number.POSITIVE_INFINITY,
    text: (list, searchToolName) =>
      list &&
      `# Available tools\n\nLoad a tool with ${searchToolName} before you use it. Calling it directly fails.\n\n${list}`,
  },
  alwaysOffersSearch: true,
  loading: 'sticky',
  result: usedIn('lists', cortexResult()),
  reveal: 'list',
  unloadedCalls: 'answer',
})

function cortexResult(): ResultFormat {
  return ({ query, hits, missing, remaining, problem }) => {
    if (problem) return { text: problem.message, data: { error: problem.message }, isError: true }
    const names = (...statuses: HitStatus[]) =>
      hits.filter(({ status }) => statuses.includes(status)).map(({ tool }) => tool.name)
    const loaded = names('loaded')
    const alreadyAvailable = names('already-loaded', 'always-on')
    const notFound = missing.map(({ name }) => name)
    const sections = [
      section('Loaded, callable on the next turn', loaded),
      section('Already loaded', alreadyAvailable),
      section('Not found', notFound),
    ].filter(Boolean)
    const more =
      remaining > 0 ? ` ${remaining} more available: see the list of available tools.` : ''
    return {
      text:
        sections.length > 0
          ? sections.join('\n\n')
          : `No match for "${query.toWellFormed()}".${more}`,
      data: { query, loaded, alreadyAvailable, notFound, totalDeferred: remaining },
      isError: false,
    }
  }
}

function section(title: string, names: readonly string[]): string {
  return names.length === 0 ? '' : [`${title}:`, ...names.map((name) => `- ${name}`)].join('\n')
}
