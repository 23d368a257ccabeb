import { freezePreset, type Preset } from '../../session/preset.ts'
import type { ResultFormat } from '../../tool-search/search-answer.ts'
import type { HitStatus } from '../../tool-search/search-outcome.ts'
import { searchTool } from '../../tool-search/search-tool.ts'
import { cortexRanker } from './cortex-ranker.ts'

/**
 * cortex's `ToolSearch`: a list of names at the start of the context, all five query forms, and
 * results that contain only the names of loaded tools. The next request contains the schemas.
 *
 * Deliberate differences from cortex:
 * - selecting a tool twice reports "already loaded" instead of "not found"
 * - a limit below 1 is treated as 1
 * - a lone `+` is not a word
 * - `select:` is case-insensitive and limited to 100 names
 */
export const cortex: Preset = freezePreset({
  preset: 'cortex',
  searchTool: searchTool({
    name: 'ToolSearch',
    description: 'Load tools from the list of available tools so that you can call them.',
    query:
      '"select:A,B" for exact names, a single name, a name prefix, or keywords. "+word" must ' +
      'occur in the name or description.',
    limit: {
      name: 'max_results',
      description: 'Maximum number of tools to load. Default: 5. Does not apply to select.',
    },
  }),
  activation: 'always',
  deferral: { mcp: 'deferred', others: 'eager' },
  ranker: cortexRanker,
  syntax: {
    select: true,
    required: true,
    punctuation: 'keep',
    exactName: true,
    namePrefix: 'any',
    requiredScope: 'name+description',
    blank: 'empty',
    badQuery: 'blank',
  },
  selection: {
    defaultLimit: 5,
    minLimit: 1,
    maxLimit: Number.POSITIVE_INFINITY,
    limitArguments: ['max_results'],
    badLimit: 'default',
    ties: 'catalogue',
    searched: 'deferrable',
    placesForAlwaysOn: true,
    band: 0,
    abstains: false,
    selectCap: 100,
  },
  announcement: {
    style: 'names',
    placement: 'live',
    budget: Number.POSITIVE_INFINITY,
    text: (list, searchToolName) =>
      `# Available tools\n\nLoad a tool with ${searchToolName} before you use it. Calling it directly fails.\n\n${list}`,
  },
  loading: 'sticky',
  result: cortexResult(),
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
      section('Loaded', loaded),
      section('Already loaded', alreadyAvailable),
      section('Not found', notFound),
    ].filter(Boolean)
    const more = remaining > 0 ? ` ${remaining} more available: see the list.` : ''
    return {
      text: sections.length > 0 ? sections.join('\n\n') : `No match for "${query}".${more}`,
      data: { query, loaded, alreadyAvailable, notFound, totalDeferred: remaining },
      isError: false,
    }
  }
}

function section(title: string, names: readonly string[]): string {
  return names.length === 0 ? '' : [`${title}:`, ...names.map((name) => `- ${name}`)].join('\n')
}
