/** How a request counts. Audit log, limits, telemetry and the documentation all read this table. */
export interface Method {
  /** What of it the audit log contains. `results`: answers with the result of a task, and failures. */
  readonly recorded: 'always' | 'results' | 'never'
  /** Whether rate limits count it. */
  readonly isLimited: boolean
  /** Whether a server may have to do something. The gateway answers all other methods itself. */
  readonly isExecuted: boolean
  /** What its parameters name. */
  readonly target?: 'tool' | 'prompt' | 'resource' | 'skill' | 'completion' | 'task'
  /** What stays open after the answer. */
  readonly opens?: 'session' | 'subscription' | 'stream'
}

/** Says nothing about what anybody did. */
const UNRECORDED: Method = { recorded: 'never', isLimited: false, isExecuted: false }
const ANSWERED: Method = { recorded: 'always', isLimited: false, isExecuted: false }
const EXECUTED: Method = { recorded: 'always', isLimited: true, isExecuted: true }

/** The methods that clients can call. A test compares them with the handlers, another one with the documentation. */
const METHODS: Readonly<Record<string, Method>> = {
  'tools/call': { ...EXECUTED, target: 'tool' },
  'prompts/get': { ...EXECUTED, target: 'prompt' },
  'completion/complete': { ...EXECUTED, target: 'completion' },
  'resources/read': { ...EXECUTED, target: 'resource' },
  'resources/subscribe': { ...EXECUTED, target: 'resource', opens: 'subscription' },
  'subscriptions/listen': { ...EXECUTED, opens: 'stream' },
  'skills/get': { ...EXECUTED, target: 'skill' },
  'resources/directory/read': { ...EXECUTED, target: 'skill' },
  // Clients that wait for a task ask for it again and again.
  'tasks/get': { ...EXECUTED, recorded: 'results', target: 'task' },
  'tasks/update': { ...EXECUTED, target: 'task' },
  // These end something, which must stay possible at a limit.
  'tasks/cancel': { ...EXECUTED, isLimited: false, target: 'task' },
  'resources/unsubscribe': { ...EXECUTED, isLimited: false, target: 'resource' },
  'logging/setLevel': { ...EXECUTED, isLimited: false },
  'tools/list': ANSWERED,
  'prompts/list': ANSWERED,
  'resources/list': ANSWERED,
  'resources/templates/list': ANSWERED,
  'skills/list': ANSWERED,
  initialize: { ...ANSWERED, opens: 'session' },
  'server/discover': ANSWERED,
  ping: UNRECORDED,
}

export const METHOD_NAMES: readonly string[] = Object.keys(METHODS)

/** How a method counts. Requests for methods that do not exist are recorded as well. */
export function methodOf(name: string): Method {
  return Object.hasOwn(METHODS, name) ? METHODS[name]! : ANSWERED
}
