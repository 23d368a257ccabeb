import { isObject } from '../is-object.ts'
import {
  type Check,
  callback,
  checkOptions,
  fail,
  number,
  type Shape,
  text,
} from '../options/check-option.ts'
import type { AdapterOptions, RequestOptions } from './adapter.ts'

const ADAPTER = {
  mode: text,
  model: text,
  endpoint: text,
  onRepair: callback,
} satisfies Record<keyof AdapterOptions, Check>

/** Checks the options of an adapter. `own` are those that only this provider has. */
export function checkAdapterOptions(options: unknown, own: Shape = {}): void {
  checkOptions(options, 'options', { ...ADAPTER, ...own })
}

/**
 * Checks the options of one request. Allows other fields, because callers pass the parameters of their
 * client. @throws InvalidOptionError
 */
export function checkRequest(options: RequestOptions<unknown>): void {
  if (!isObject(options)) fail(options, 'options', 'use an object with messages')
  const { messages, toolChoice, usedTokens } = options
  if (!Array.isArray(messages)) fail(messages, 'messages', 'use an array of messages')
  if (toolChoice !== undefined) text(toolChoice, 'toolChoice')
  if (usedTokens !== undefined) number()(usedTokens, 'usedTokens')
}
