import { isObject } from '../is-object.ts'
import {
  type Check,
  check,
  complete,
  count,
  fail,
  flag,
  name,
  type Shape,
} from '../options/check-option.ts'
import type { Embedder } from './embedder.ts'
import type { EmbedderOptions } from './embedders.ts'

// not Infinity: every vector has to have this length
const dimensions = check(
  (value) => Number.isInteger(value) && (value as number) >= 1,
  'use a whole number, 1 or more',
)

const SHARED = { dimensions, maxBatch: count(1), centred: flag } satisfies Shape
const OPTIONAL = Object.keys(SHARED)

/** Checks the options of an embedder without an id of its own. */
export const checkEmbedderOptions: Check = complete(
  { id: name, ...SHARED } satisfies Record<keyof EmbedderOptions, Check>,
  OPTIONAL,
)

/** Checks the options of an embedder that derives its id from the model, and `others`. */
export function modelOptions(others: Shape = {}, optional: readonly string[] = []): Check {
  return complete({ ...others, ...SHARED }, [...OPTIONAL, ...optional])
}

/** Checks an embedder. It may have more members than this library uses. */
export const checkEmbedder: Check = (value, path) => {
  if (!isObject(value) || typeof (value as Partial<Embedder>).embed !== 'function') {
    fail(value, path, 'use an embedder, such as endpointEmbedder()')
  }
  name(value.id, `${path}.id`)
  for (const [key, checkValue] of Object.entries(SHARED)) {
    if (value[key] !== undefined) checkValue(value[key], `${path}.${key}`)
  }
}
