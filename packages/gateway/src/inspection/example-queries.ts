import type { Tool } from 'toolsearch'
import { effectOf } from '../access/effect.ts'
import type { Gateway } from '../offering/gateway.ts'
import type { ExampleList } from './api.ts'
import { serverOf } from './tool-summary.ts'

/** Queries that the page suggests. */
export interface ExampleQueries {
  list(): ExampleList
}

type Example = ExampleList['examples'][number]

const MAX_EXAMPLES = 5
/** How many searches it may take to find the examples. */
const MAX_TRIED = 60

/** What people ask for in their own words, and what the name of the right tool looks like. */
const EVERYDAY: readonly (readonly [query: string, tool: RegExp])[] = [
  ['report a bug', /(create|open|new|add|report|file).*(issue|bug|ticket)/],
  ['give a customer their money back', /refund/],
  ['message a colleague', /(send|post).*message/],
  ['who is on call', /on.?call/],
  ['which files are in this folder', /list.*(folder|director|file)/],
  ['set up a meeting', /(create|add|schedule|book|insert).*(event|meeting|appointment)/],
  ['send an email to somebody', /send.*(mail|message)/],
  ['will it rain tomorrow', /weather|forecast/],
  ['look something up on the web', /(web|brave|google|internet).*search|search.*web/],
  ['show me what is in this file', /read.*file/],
  ['remember this for later', /(add|create|store|save).*(memor|observation|note|entit)/],
  ['run a query against the database', /(run|execute|sql).*query|__query$/],
  ['take a picture of the page', /screenshot/],
]

/**
 * Finds examples by trying them: a query counts if the tool it is about comes first, and the search is
 * sure of it. So an example never shows the wrong tool, whatever the catalogue.
 */
export function createExampleQueries(gateway: Pick<Gateway, 'toolSearch'>): ExampleQueries {
  let known: { version: number; list: ExampleList } | undefined

  return {
    list() {
      const { version } = gateway.toolSearch.catalogue
      if (known?.version !== version) known = { version, list: { examples: find() } }
      return known.list
    },
  }

  function find(): Example[] {
    const { catalogue } = gateway.toolSearch
    const everyday = EVERYDAY.flatMap(([query, pattern]) => {
      const tool = firstHit(query)
      return tool !== undefined && pattern.test(tool) ? { query, tool } : []
    })
    const found = distinct(everyday).slice(0, MAX_EXAMPLES)
    if (found.length === MAX_EXAMPLES) return found
    return distinct([...found, ...derived(catalogue.sorted(), MAX_EXAMPLES)]).slice(0, MAX_EXAMPLES)
  }

  /** Queries made of the tools' own descriptions, from one server after the other. */
  function derived(tools: readonly Tool[], count: number): Example[] {
    const examples: Example[] = []
    for (const tool of takeTurns(tools).slice(0, MAX_TRIED)) {
      const query = phraseOf(tool)
      if (query === undefined || firstHit(query) !== tool.name) continue
      examples.push({ query, tool: tool.name })
      if (examples.length === count) break
    }
    return examples
  }

  function firstHit(query: string): string | undefined {
    const { hits, confidence } = gateway.toolSearch.search(query, { limit: 3 })
    return confidence === 'low' ? undefined : hits[0]?.tool.name
  }
}

function distinct(examples: readonly Example[]): Example[] {
  return [...new Map(examples.map((example) => [example.tool, example])).values()]
}

/** The first tool of each server, then the second of each, and so on; read-only tools first. */
function takeTurns(tools: readonly Tool[]): Tool[] {
  const places = new Map<string, number>()
  const readOnlyFirst = tools.toSorted((a, b) => rank(a) - rank(b))
  const ranked = readOnlyFirst.map((tool) => {
    const place = places.get(serverOf(tool)) ?? 0
    places.set(serverOf(tool), place + 1)
    return { tool, place }
  })
  return ranked.sort((a, b) => a.place - b.place).map(({ tool }) => tool)
}

function rank(tool: Tool): number {
  return Number(effectOf(tool) !== 'read')
}

/**
 * A request in the words of a description.
 *
 * @example
 * phraseOf({ description: 'Sends a letter to somebody. Needs a stamp.' }) // 'send a letter'
 */
function phraseOf({ description }: Pick<Tool, 'description'>): string | undefined {
  const [clause = ''] = description
    .trim()
    .split(/[.,;:(\n]| that | which | using | by | with | to | for | from /)
  const [verb = '', ...rest] = clause.split(/\s+/)
  if (!/^[A-Z][a-z]+$/.test(verb) || rest.length < 1 || rest.length > 6) return undefined
  return [infinitive(verb.toLowerCase()), ...rest].join(' ')
}

/** @example infinitive('sends') // 'send' */
function infinitive(verb: string): string {
  if (verb.endsWith('ies')) return `${verb.slice(0, -3)}y`
  if (/(o|ch|sh|ss|x|zz)es$/.test(verb)) return verb.slice(0, -2)
  return verb.replace(/(?<!s)s$/, '')
}
