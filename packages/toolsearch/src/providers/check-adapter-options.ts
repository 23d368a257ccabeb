import { isObject } from '../is-object.ts'
import {
  type Check,
  callback,
  check,
  checkOptions,
  fail,
  number,
  type Shape,
  text,
} from '../options/check-option.ts'
import { ForeignMessagesError } from './adapter-errors.ts'
import type { Provider } from './provider.ts'
import type { AdapterOptions, RequestOptions } from './provider-adapter.ts'

const checkExtraTools = check(
  (value) => Array.isArray(value) && value.every(isObject),
  'use an array of tools in the shape of the provider',
)

const checkExpect = check(
  (value) => typeof value === 'boolean' || typeof value === 'string',
  'use true, or what the user said',
)

const ADAPTER = {
  mode: text,
  model: text,
  endpoint: text,
  onRepair: callback,
  extraTools: checkExtraTools,
  onDrop: callback,
} satisfies Record<keyof AdapterOptions, Check>

/** Checks the options of an adapter. `own` are those that only this provider has. */
export function checkAdapterOptions(options: unknown, own: Shape = {}): void {
  checkOptions(options, 'options', { ...ADAPTER, ...own })
}

/**
 * Checks the options of one request. Allows other fields, because callers pass the parameters of their
 * client. @throws InvalidOptionError
 */
export function checkRequest(options: RequestOptions<unknown>, checkSystem: Check): void {
  if (!isObject(options)) fail(options, 'options', 'use an object with messages')
  const { messages, system, toolChoice, usedTokens, expect } = options
  checkMessages(messages)
  if (system !== undefined) checkSystem(system, 'system')
  if (toolChoice !== undefined) text(toolChoice, 'toolChoice')
  if (usedTokens !== undefined) number()(usedTokens, 'usedTokens')
  if (expect !== undefined) checkExpect(expect, 'expect')
}

/**
 * Rejects the history of another provider, of which a repair would leave next to nothing. A history
 * with at least one message of this provider is repaired.
 *
 * @throws ForeignMessagesError
 */
export function checkFormat(
  messages: readonly object[],
  { name, recognises }: Pick<Provider<never, never, never>, 'name' | 'recognises'>,
): void {
  let foreign = -1
  for (const [at, message] of messages.entries()) {
    const isOwn = recognises(message)
    if (isOwn) return
    if (isOwn === false && foreign < 0) foreign = at
  }
  if (foreign >= 0) throw new ForeignMessagesError(foreign, name)
}

/** @throws InvalidOptionError */
export function checkMessages(messages: unknown): void {
  if (!Array.isArray(messages)) fail(messages, 'messages', 'use an array of messages')
  const at = messages.findIndex((message) => !isObject(message))
  if (at >= 0) fail(messages[at], `messages[${at}]`, 'use an object, in the format of the provider')
}
