import type { Preset } from '../../session/preset.ts'
import type { ResultFormat } from '../../tool-search/search-answer.ts'
import type { HitStatus } from '../../tool-search/search-outcome.ts'
import { searchTool } from '../../tool-search/search-tool.ts'
import { cortexRanker } from './cortex-ranker.ts'

/**
 * cortex's `ToolSearch`: a list of names at the front of the context, all five query forms, and
 * results that only name what was loaded: the schemas come with the next request.
 *
 * On purpose unlike cortex: selecting a tool twice says "already loaded" and not "not found", a
 * limit below one counts as one, a lone `+` is no word, and `select:` takes its prefix in any case
 * and 100 names at most.
 */
export const cortex: Preset = {
  preset: 'cortex',
  searchTool: searchTool({
    name: 'ToolSearch',
    description: 'Loads tools from the list of available tools so that they can be called.',
    query:
      '"select:A,B" for exact names, one name, the beginning of names, or words to rank by; ' +
      '"+word" must occur in the name or description.',
    limit: { name: 'max_results', description: 'Tools to load, 5 if left out. Not for select.' },
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
}

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
    const more = remaining > 0 ? ` ${remaining} tools are still available: see the list.` : ''
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
