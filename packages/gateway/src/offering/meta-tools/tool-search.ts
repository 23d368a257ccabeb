import type { Session, SourceState } from 'toolsearch'
import type { JsonObject } from '../../protocol/json-object.ts'
import { failure, textBlock } from '../call-failure.ts'
import type { GatewayView, SearchInOptions } from '../gateway-view.ts'
import { shortReason } from '../one-line.ts'
import { isLocal } from '../result-reader.ts'
import { MAX_QUERIES, readQueries, SEARCH, searchTools } from '../search-tools.ts'
import { toolNotes } from '../tool-notes.ts'
import { toolReturns } from '../tool-returns.ts'
import type { UpstreamSet } from '../upstream-set.ts'
import { type CallContext, type MetaTool, metaToolDefinition, READ_ONLY } from './meta-tool.ts'

export const toolSearch: MetaTool = {
  name: SEARCH,
  definition: ({ directory }) =>
    metaToolDefinition(
      SEARCH,
      'Find tools and skills (instructions for a task) by what they do. Most tools are not in your list: search before you conclude that ' +
        `something cannot be done.${directory === '' ? '' : ` Servers: ${directory}.`}`,
      { properties: PROPERTIES, required: [] },
      READ_ONLY,
    ),
  async answer({ arguments: args }, options, context) {
    if (args.query === undefined && readQueries(args).queries.length === 0) {
      const error = 'Pass "query", or several "queries": a few words for what a tool should do.'
      return failure(JSON.stringify({ error }))
    }
    const session = await context.tools.session
    // The session is shared: what one person repeats must not depend on another.
    const countsRepeats = options.caller === undefined || isLocal(options.caller)
    const { uses } = context
    const person = uses && { person: uses.personOf(options) }
    const found = await searchIn(context, session, args, { countsRepeats, ...person })
    uses?.searched(found.searches, found.outcome, options)
    // A skill cannot be called: the tools that it names are found instead.
    options.onFound?.(found.outcome.hits.flatMap(({ tool }) => tool.skill?.tools ?? [tool.name]))
    options.onSearched?.(found.searches)
    options.onDefinitions?.(found.definitions)
    return found.result
  },
}

const PROPERTIES = {
  query: {
    type: 'string',
    description:
      'A few words for what the tool should do, in the language of the tools and without dates, ' +
      'people or other details ("create calendar event"); a word that every result must contain ' +
      '("+github open issues"); or exact names ("select:a,b").',
  },
  queries: {
    type: 'array',
    items: { type: 'string' },
    minItems: 1,
    maxItems: MAX_QUERIES,
    description: 'Instead of query: one for each kind of tool that a task needs, in a single call.',
  },
  max_results: {
    type: 'integer',
    minimum: 1,
    maximum: 25,
    description: 'Maximum number of results. Default: 5, or 2 for each of several queries.',
  },
}

/** Answers a search in any session over the catalogue of a view. */
export async function searchIn(
  context: CallContext,
  session: Session,
  args: JsonObject,
  { countsRepeats = true, ...options }: SearchInOptions = {},
): ReturnType<GatewayView['searchIn']> {
  const { shared, servers } = context
  await shared.addAccepted()
  const { outcome, searches, answer } = await searchTools(session, args, {
    ...options,
    annotate(tool) {
      const returns = context.config().scripts && toolReturns(tool)
      return { ...toolNotes(tool, context), ...(returns && { returns }) }
    },
    adjust: (found) => ({
      ...found,
      // The library knows all reasons, also those that the caller may not know.
      notReady: notReady(servers),
      ...(!countsRepeats && { repeats: 0 }),
    }),
  })
  const { loaded = [] } = answer.data as { loaded?: readonly JsonObject[] }
  return {
    outcome,
    searches,
    // Entries without parameters only refer to the definition.
    definitions: loaded.filter((entry) => typeof entry.arguments === 'string'),
    result: { content: [textBlock(answer.text)], ...(answer.isError && { isError: true }) },
  }
}

/** The servers that could not be searched, by name. */
function notReady({ upstreams }: UpstreamSet): SourceState[] {
  const states = [...upstreams.values()].flatMap(
    ({ name, status: { state, detail } }): SourceState[] =>
      state === 'ready' || state === 'idle'
        ? []
        : [
            {
              source: `mcp:${name}`,
              state,
              ...(detail !== undefined && { detail: shortReason(detail) }),
            },
          ],
  )
  return states.sort((one, other) => (one.source < other.source ? -1 : 1))
}
