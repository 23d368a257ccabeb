import { createRequire } from 'node:module'
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'
import type { JsonSchema, ValidateArguments } from 'toolsearch'
import { isObject, textOf } from '../protocol/json-object.ts'
import { asServersRead } from './arguments/as-servers-read.ts'
import { boundedSchema, COST, type SchemaCost, UNIQUE } from './arguments/bounded-schema.ts'
import { isUnique } from './arguments/is-unique.ts'
import { type LinearPattern, linearPattern } from './arguments/linear-pattern.ts'

const require = createRequire(import.meta.url)

/** Steps for one call: about 20 ms. Ordinary calls take fewer than a thousand. */
const MAX_STEPS = 200_000
/** More would be of no use to a model. */
const MAX_PROBLEMS = 20

/**
 * Returns a function that finds the problems with the arguments of a call. It finds only what the
 * server would refuse as well; the server itself checks everything else:
 *
 * - what `boundedSchema` leaves out, and values that `asServersRead` converts,
 * - patterns that need backtracking or are not JavaScript,
 * - schemas that are too large or invalid, and calls that would take too many steps.
 *
 * Compiles a schema on the first call of its tool. Never throws.
 */
export function createValidateArguments(): ValidateArguments {
  const compiled = new WeakMap<JsonSchema, FindErrors>()
  return (schema, value) => {
    let findErrors = compiled.get(schema)
    if (findErrors === undefined) {
      findErrors = compile(schema)
      compiled.set(schema, findErrors)
    }
    const errors = findErrors(value)
    if (errors.length === 0) return []
    const asRead = asServersRead(value, errors)
    if (asRead !== undefined && findErrors(asRead).length === 0) return []
    return errors.slice(0, MAX_PROBLEMS).map(problemText)
  }
}

type FindErrors = (value: unknown) => readonly ErrorObject[]

function problemText({ instancePath, message = 'is invalid' }: ErrorObject): string {
  const place = instancePath === '' ? 'the arguments' : instancePath.slice(1).replaceAll('/', '.')
  return `${place} ${message}`
}

/** Finds no errors if the schema cannot be compiled within bounds. */
function compile(schema: JsonSchema): FindErrors {
  let remaining = 0
  const charge = (steps: number) => {
    remaining -= steps
    if (remaining < 0) throw TOO_MUCH_WORK
  }
  let validate: ValidateFunction
  try {
    // Each schema has its own Ajv: schemas of different servers must not see each other's
    // definitions, and Ajv never forgets a schema.
    validate = createAjv(schema, charge).compile(boundedSchema(schema))
  } catch {
    return () => []
  }
  return (value) => {
    remaining = MAX_STEPS
    try {
      return validate(value) ? [] : (validate.errors ?? [])
    } catch {
      // Too many steps, or too deep a recursion.
      return []
    }
  }
}

const TOO_MUCH_WORK = new Error('Checking the arguments takes too long.')

function createAjv({ $schema }: JsonSchema, charge: (steps: number) => void): Ajv {
  // Loaded with the first call: listing and searching do not need Ajv.
  const { Ajv, _ } = require('ajv') as typeof import('ajv')
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
  const options = {
    strict: false,
    allErrors: true,
    meta: false,
    validateSchema: false,
    validateFormats: false,
    logger: false,
    // Without a limit, definitions that refer to each other several times grow exponentially.
    inlineRefs: 10,
    code: { regExp: patternEngine(charge) },
  } as const
  const ajv: Ajv = /draft-0[4-7]/.test(textOf($schema)) ? new Ajv(options) : new Ajv2020(options)
  ajv.addKeyword({
    keyword: COST,
    code({ gen, data, schema }) {
      const { steps, readsText, readsKeys } = schema as SchemaCost
      const chargeName = gen.scopeValue('func', { ref: charge })
      if (!readsText && !readsKeys) {
        gen.code(_`${chargeName}(${steps})`)
        return
      }
      const sizeName = gen.scopeValue('func', { ref: readsKeys ? sizeOf : lengthOf })
      gen.code(_`${chargeName}(${steps} + ${sizeName}(${data}))`)
    },
  })
  ajv.addKeyword({
    keyword: UNIQUE,
    type: 'array',
    validate: (_schema: unknown, items: readonly unknown[]) => isUnique(items, charge),
    error: { message: 'must NOT have duplicate items' },
  })
  return ajv
}

/** An engine for Ajv. A pattern without a linear counterpart matches everything. */
function patternEngine(charge: (steps: number) => void) {
  const engine = (source: string) => {
    // Compiled with the first text: many properties are never used.
    let pattern: LinearPattern | null | undefined
    return {
      test(text: string): boolean {
        if (pattern === undefined) {
          charge(PATTERN_STEPS)
          pattern = linearPattern(source) ?? null
        }
        if (pattern === null) return true
        charge(Math.ceil((pattern.size * text.length) / STEPS_PER_CHARGE))
        return pattern.test(text)
      },
    }
  }
  return Object.assign(engine, { code: 'new RegExp' })
}

/** Compiling a pattern takes about a millisecond. */
const PATTERN_STEPS = 10_000
/** A step of a pattern is much cheaper than a step of a schema. */
const STEPS_PER_CHARGE = 20

function lengthOf(data: unknown): number {
  return typeof data === 'string' ? data.length : 0
}

function sizeOf(data: unknown): number {
  return isObject(data) ? Object.keys(data).length : lengthOf(data)
}
