import { isObject } from '../is-object.ts'
import {
  type Check,
  check,
  complete,
  count,
  fail,
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

const SHARED = { dimensions, maxBatch: count(1) } satisfies Shape

/** Checks the options of an embedder without an id of its own. */
export const checkEmbedderOptions: Check = complete(
  { id: name, ...SHARED } satisfies Record<keyof EmbedderOptions, Check>,
  ['maxBatch'],
)

/** Checks the options of an embedder that derives its id from the model, and `others`. */
export function modelOptions(others: Shape = {}, optional: readonly string[] = []): Check {
  return complete({ ...others, ...SHARED }, ['maxBatch', ...optional])
}

/** Checks an embedder. It may have more members than this library uses. */
export const checkEmbedder: Check = (value, path) => {
  if (!isObject(value) || typeof (value as Partial<Embedder>).embed !== 'function') {
    fail(value, path, 'use an embedder, such as endpointEmbedder()')
  }
  name(value.id, `${path}.id`)
  dimensions(value.dimensions, `${path}.dimensions`)
  if (value.maxBatch !== undefined) SHARED.maxBatch(value.maxBatch, `${path}.maxBatch`)
}
