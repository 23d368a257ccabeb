import {
  anything,
  type Check,
  callback,
  check,
  checkOptions,
  complete,
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

/** Checks the options of one request. @throws InvalidOptionError */
export const checkRequest: Check = complete(
  {
    messages: check(Array.isArray, 'use an array of messages'),
    system: anything,
    toolChoice: text,
    usedTokens: number(),
  } satisfies Record<keyof RequestOptions<unknown>, Check>,
  ['system', 'toolChoice', 'usedTokens'],
)
