import type { RecordedRequest, Reply, ReplyCall, Service } from 'toolsearch-checking-server'
import type { ToolDefinition } from '../catalogue/tool.ts'

/** A conversation that every framework must survive, with a model that also makes mistakes. */
export interface UserTurn {
  readonly say: string
  /** A change of the catalogue before this turn. */
  readonly change?: { readonly add?: string; readonly remove?: string }
  /** What the model replies before its final text. */
  readonly replies: readonly Reply[]
  /** The tools that run in this turn, in order. */
  readonly runs: readonly string[]
}

/** How the model searches and calls in the mode under test. */
export interface ModelHabits {
  search(query: string): Reply
  call(name: string, input: unknown): ReplyCall
}

/** The model calls found tools through `call_tool`. */
export const bridgeHabits: ModelHabits = {
  search: (query) => ({ calls: [{ name: 'tool_search', arguments: { query } }] }),
  call: (name, input) => ({ name: 'call_tool', arguments: { name, arguments: input } }),
}

/** The model passes all parameters: LangChain sends no `strict`, so the Responses API requires them. */
export const completeHabits: ModelHabits = {
  ...bridgeHabits,
  search: (query) => ({ calls: [{ name: 'tool_search', arguments: { query, max_results: 5 } }] }),
}

/** The model calls found tools by their names. */
export const directHabits: ModelHabits = {
  ...bridgeHabits,
  call: (name, input) => ({ name, arguments: input }),
}

/** OpenAI asks the client to search; the model calls found tools by their names. */
export const clientHabits: ModelHabits = {
  ...directHabits,
  search: (query) => ({ clientSearch: { arguments: { query } } }),
}

/**
 * Twenty user turns: single and parallel calls, unseen calls, wrong arguments, changes of tools. With
 * `expects`, the model calls the first tool without having searched for it.
 */
export function longConversation(
  { search, call }: ModelHabits,
  { expects = false }: { expects?: boolean } = {},
): readonly UserTurn[] {
  const calls = (...list: ReplyCall[]): Reply => ({ calls: list })
  const mistake = (call: ReplyCall): Reply => ({ calls: [call], unconstrained: true })
  const both = (...replies: Reply[]): Reply => calls(...replies.flatMap((one) => one.calls ?? []))
  const letter = call('send_letter', { to: 'Ann' })
  const weather = call('weather_report', { city: 'Ulm' })
  const zebra = call('draw_zebra', { width: 4 })
  const repeat = (from: number): readonly UserTurn[] =>
    Array.from({ length: 3 }, (_, at) => ({
      say: `Write letter ${from + at}`,
      replies: [calls(call('send_letter', { to: `Person ${from + at}` }))],
      runs: ['send_letter'],
    }))
  return [
    { say: 'Hello', replies: [], runs: [] },
    {
      // an `expect` that searches with these words is sure of send_letter
      say: 'Send a letter to the person Ann',
      replies: [...(expects ? [] : [search('send a letter')]), calls(letter)],
      runs: ['send_letter'],
    },
    { say: 'A wrong argument', replies: [mistake(call('send_letter', { to: 7 }))], runs: [] },
    { say: 'Write again', replies: [calls(letter)], runs: ['send_letter'] },
    {
      say: 'Guess a tool before you see it',
      replies: [mistake(weather), calls(weather)],
      runs: ['weather_report'],
    },
    {
      say: 'Two calls at once',
      replies: [calls(letter, weather)],
      runs: ['send_letter', 'weather_report'],
    },
    { say: 'Call what does not exist', replies: [mistake(call('fly_home', {}))], runs: [] },
    {
      say: 'A new tool',
      change: { add: 'play_chess' },
      replies: [search('select:play_chess'), calls(call('play_chess', { move: 'e4' }))],
      runs: ['play_chess'],
    },
    {
      say: 'Two searches at once',
      replies: [
        search('draw an animal').calls ? both(search('zebra'), search('letter')) : search('zebra'),
        calls(zebra),
      ],
      runs: ['draw_zebra'],
    },
    { say: 'Search again', replies: [search('send a letter')], runs: [] },
    { say: 'Remove a hidden tool', change: { remove: 'thing_7' }, replies: [], runs: [] },
    { say: 'Draw again', replies: [calls(zebra)], runs: ['draw_zebra'] },
    {
      say: 'Remove a loaded tool and call it',
      change: { remove: 'draw_zebra' },
      replies: [mistake(zebra)],
      runs: [],
    },
    { say: 'Find nothing', replies: [search('qwertzuiop')], runs: [] },
    ...repeat(1),
    ...repeat(4),
  ]
}

/** How a description of expected tools starts. */
export const EXPECTED = 'Tools that may fit this request'

/** The tools of the long conversation. `ran` collects the names of those that run. */
export function conversationTools(ran: string[], hidden = 40): ToolDefinition[] {
  return [
    conversationTool('send_letter', 'Sends a letter to a person', 'to', ran),
    conversationTool('weather_report', 'Tells the weather of a city', 'city', ran),
    conversationTool('draw_zebra', 'Draws a zebra', 'width', ran),
    ...Array.from({ length: hidden }, (_, at) =>
      conversationTool(`thing_${at}`, `Handles thing number ${at}`, 'thing', ran),
    ),
  ]
}

/** The tool that is added during the conversation. */
export function addedTool(ran: string[]): ToolDefinition {
  return conversationTool('play_chess', 'Makes a move in a game of chess', 'move', ran)
}

function conversationTool(
  name: string,
  description: string,
  argument: string,
  ran: string[],
): ToolDefinition {
  const type = argument === 'width' ? 'number' : 'string'
  return {
    name,
    description,
    inputSchema: {
      type: 'object',
      properties: { [argument]: { type } },
      required: [argument],
      additionalProperties: false,
    },
    execute() {
      ran.push(name)
      return `${name} is done.`
    },
  }
}

/** The indexes of accepted requests whose prompt does not start with the prompt before it. */
export function prefixBreaks(
  service: Service,
  requests: readonly RecordedRequest[],
): readonly number[] {
  const prompts = requests
    .filter(({ problem }) => problem === undefined)
    .map(({ body }) => service.promptOf(body))
  return prompts.flatMap((prompt, index) => {
    const before = prompts[index - 1] ?? []
    return before.every((part, at) => part === prompt[at]) ? [] : [index]
  })
}
