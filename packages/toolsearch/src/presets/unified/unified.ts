import { fieldedRanker } from '../../ranking/fielded-ranker.ts'
import type { Preset } from '../../session/preset.ts'
import { resultFormat } from '../../tool-search/result-format.ts'
import { searchTool } from '../../tool-search/search-tool.ts'

/**
 * The default: the best of the five. Every query form, our own ranking, a list of names that never
 * changes once it was sent, tools that stay loaded, and an answer to every call that cannot succeed.
 */
export const unified: Preset = {
  preset: 'unified',
  searchTool: searchTool({
    name: 'tool_search',
    description:
      'Finds tools that are not in your list yet and loads them, so that you can call them in your ' +
      'next step. Search before you conclude that something cannot be done.',
    query:
      'A few words for what the tool should do ("create calendar event"), a word every result must ' +
      'have ("+github open issues"), or exact names ("select:read_file,write_file").',
    limit: {
      name: 'max_results',
      description: 'How many tools to load at most. 5 if left out.',
      maximum: 25,
    },
  }),
  activation: { anyOf: [{ toolCount: 15 }, { definitionShare: 0.1 }] },
  deferral: { mcp: 'deferred', others: 'deferred' },
  ranker: fieldedRanker,
  syntax: {
    select: true,
    required: true,
    punctuation: 'strip',
    exactName: true,
    namePrefix: 'qualified',
    requiredScope: 'name+description+hint',
    blank: 'error',
    badQuery: 'error',
  },
  selection: {
    defaultLimit: 5,
    minLimit: 1,
    maxLimit: 25,
    limitArguments: ['max_results', 'top_k'],
    badLimit: 'default',
    ties: 'name',
    searched: 'visible',
    placesForAlwaysOn: false,
    band: 0.4,
    abstains: true,
    selectCap: 50,
  },
  announcement: {
    style: 'names',
    placement: 'fixed',
    budget: 2_000,
    text: (list, searchToolName) =>
      `You have more tools than you see. Find and load them with ${searchToolName}.\n\n${list}`,
  },
  loading: 'sticky',
  result: resultFormat({ detail: 'signatures' }),
  unloadedCalls: 'answer',
}
