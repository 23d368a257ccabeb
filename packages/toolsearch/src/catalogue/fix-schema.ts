import { isListOfStrings } from '../is-list-of-strings.ts'
import { isObject } from '../is-object.ts'
import { resolvesReference, rootOf } from './resolves-reference.ts'
import {
  compiles,
  SCHEMA_KEYWORDS,
  SCHEMA_LIST_KEYWORDS,
  SCHEMA_MAP_KEYWORDS,
  TYPES,
  toJsonType,
} from './schema-keywords.ts'
import type { JsonSchema } from './tool.ts'

/** Called with each part that no validator can compile. `path` is valid during the call only. */
export type ReportProblem = (path: readonly Step[], problem: string, fix: string) => void

type Step = string | number

/**
 * Returns the schema as the meta-schema of draft 2020-12 wants it. Walks through all schemas inside it. What
 * cannot be fixed is left out. Returns the same object if it is valid: most schemas are, and copying them
 * would be slow.
 */
export function fixSchema(schema: JsonSchema, report: ReportProblem = () => {}): JsonSchema {
  let ids: ReadonlySet<unknown> | undefined
  const isId = (reference: string) => {
    ids ??= idsIn(schema)
    return ids.has(reference)
  }
  const path: Step[] = []
  const context = {
    root: schema,
    isId,
    path,
    report: (problem: string, fix: string) => report(path, problem, fix),
  }
  return fixNode(schema, context) as JsonSchema
}

interface Context {
  /** The schema that references are relative to. */
  readonly root: unknown
  readonly isId: (reference: string) => boolean
  /** Where the walk is: one array, because most schemas have no problem to locate. */
  readonly path: Step[]
  /** Reports a problem at this place. */
  readonly report: (problem: string, fix: string) => void
}

function fixNode(schema: unknown, outer: Context): unknown {
  if (typeof schema === 'boolean') return schema
  if (!isObject(schema)) {
    reportNoSchema(outer)
    // `{ "city": "string" }` instead of `{ "city": { "type": "string" } }`
    const type = toJsonType(schema)
    return type === undefined ? {} : { type }
  }
  const root = rootOf(schema, outer.root)
  const context = root === outer.root ? outer : { ...outer, root }
  const fixed = fixMembers(schema, context, (value, keyword) => {
    const fix = FIXES.get(keyword)
    return fix === undefined ? value : fix(value, context)
  })
  return fixItems(addRequired(schema, fixed))
}

function reportNoSchema({ report }: Context): void {
  report('is not a schema', 'use a schema object, true or false')
}

/** Applies `fix` to each member, and drops those for which it returns undefined. */
function fixMembers(
  object: Record<string, unknown>,
  { path }: Context,
  fix: (value: unknown, key: string) => unknown,
): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined
  for (const key of Object.keys(object)) {
    const value = object[key]
    path.push(key)
    const fixed = value === undefined ? undefined : fix(value, key)
    path.pop()
    if (fixed === value && value !== undefined) continue
    copy ??= { ...object }
    if (fixed === undefined) delete copy[key]
    else copy[key] = fixed
  }
  return copy ?? object
}

function fixList(list: readonly unknown[], context: Context): readonly unknown[] {
  const { path } = context
  const fixed = list.map((item, index) => {
    path.push(index)
    const child = fixNode(item, context)
    path.pop()
    return child
  })
  return fixed.every((item, index) => item === list[index]) ? list : fixed
}

type Fix = (value: unknown, context: Context) => unknown

const isString = (value: unknown) => typeof value === 'string'
const string = keepIf(isString)
const number = keepIf((value) => typeof value === 'number')
const count = keepIf((value) => Number.isInteger(value) && (value as number) >= 0)
const boolean = keepIf((value) => typeof value === 'boolean')
const anchor = keepIf((value) => isString(value) && /^[A-Za-z_][\w.-]*$/.test(value as string))

function keepIf(isValid: (value: unknown) => boolean): Fix {
  return (value) => (isValid(value) ? value : undefined)
}

/** For each keyword of the meta-schema, its valid value, or undefined to leave it out. */
const FIXES: ReadonlyMap<string, Fix> = new Map([
  ...each(['title', 'description', '$comment', 'format', '$dynamicRef'], string),
  ...each(['contentMediaType', 'contentEncoding'], string),
  ...each(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'], number),
  ...each(['minLength', 'maxLength', 'minItems', 'maxItems', 'minContains'], count),
  ...each(['maxContains', 'minProperties', 'maxProperties'], count),
  ...each(['uniqueItems', 'deprecated', 'readOnly', 'writeOnly'], boolean),
  ...each(['$anchor', '$dynamicAnchor'], anchor),
  ...each(SCHEMA_KEYWORDS, fixChild),
  ...each(SCHEMA_LIST_KEYWORDS, fixChildren),
  ...each(SCHEMA_MAP_KEYWORDS, fixMap),
  [
    'items',
    (value, context) => (Array.isArray(value) ? fixList : fixChild)(value as never, context),
  ],
  ['patternProperties', fixPatterns],
  ['dependencies', fixDependencies],
  ['type', fixType],
  ['$ref', fixReference],
  ['required', fixRequired],
  ['examples', (value) => (Array.isArray(value) ? value : [value])],
  ['multipleOf', keepIf((value) => typeof value === 'number' && value > 0)],
  ['pattern', fixPattern],
  ['enum', fixEnum],
  [
    '$schema',
    keepIf((value) => isString(value) && /^https?:\/\/json-schema\.org\//.test(value as string)),
  ],
  ['$id', keepIf((value) => isString(value) && /^[^#]*#?$/.test(value as string))],
  ['$vocabulary', () => undefined],
  [
    'dependentRequired',
    (value, context) => (isObject(value) ? fixMembers(value, context, fixNames) : undefined),
  ],
])

function each(keywords: readonly string[], fix: Fix): [string, Fix][] {
  return keywords.map((keyword) => [keyword, fix])
}

function fixChild(value: unknown, context: Context): unknown {
  if (isSchema(value)) return fixNode(value, context)
  reportNoSchema(context)
  return undefined
}

function fixChildren(value: unknown, context: Context): unknown {
  if (!Array.isArray(value)) {
    context.report('is not an array of schemas', 'use an array')
    return isSchema(value) ? fixList([value], { ...context, report: () => {} }) : undefined
  }
  return value.length > 0 ? fixList(value, context) : undefined
}

function fixMap(value: unknown, context: Context): unknown {
  return fixMapWith(value, context, (child) => fixNode(child, context))
}

function fixMapWith(
  value: unknown,
  context: Context,
  fix: (child: unknown, key: string) => unknown,
): unknown {
  if (isObject(value)) return fixMembers(value, context, fix)
  context.report('is not an object of schemas', 'use an object')
  return undefined
}

function fixPatterns(value: unknown, context: Context): unknown {
  return fixMapWith(value, context, (child, key) => {
    const pattern = fixPattern(key, context)
    const fixed = fixNode(child, context)
    return pattern === undefined ? undefined : fixed
  })
}

function fixPattern(text: unknown, { report }: Context): unknown {
  if (compiles(text)) return text
  const problem = `is not a valid regular expression: ${JSON.stringify(text)}`
  report(problem, 'use JavaScript syntax (ECMA-262), or remove it')
  return undefined
}

function fixEnum(value: unknown, { report }: Context): unknown {
  if (!Array.isArray(value)) report('is not an array of values', 'list the allowed values')
  return Array.isArray(value) && value.length > 0 ? value : undefined
}

function fixRequired(value: unknown, { report }: Context): unknown {
  // draft 3 has a boolean on each property, which some models and servers still write
  if (typeof value !== 'boolean' && !isListOfStrings(value)) {
    report('is not an array of property names', 'list the names of required properties')
  }
  return fixNames(value)
}

/** A list of names without repeats, or undefined if it is something else. */
function fixNames(value: unknown): readonly string[] | undefined {
  return isListOfStrings(value) ? withoutRepeats(value) : undefined
}

/** Before 2019-09, dependencies can be lists of property names. */
function fixDependencies(value: unknown, context: Context): unknown {
  return fixMapWith(value, context, (child) =>
    Array.isArray(child) ? (fixNames(child) ?? {}) : fixNode(child, context),
  )
}

function isSchema(value: unknown): boolean {
  return isObject(value) || typeof value === 'boolean' || toJsonType(value) !== undefined
}

/** Providers resolve references only within the schema. */
function fixReference(reference: unknown, { root, isId, report }: Context): unknown {
  if (typeof reference !== 'string') {
    report('is not a string', 'use a path such as "#/$defs/a"')
    return undefined
  }
  if (!reference.startsWith('#')) return isId(reference) ? reference : undefined
  if (resolvesReference(reference, root)) return reference
  report(`cannot be resolved: ${reference}`, 'add the definition, or remove the reference')
  return undefined
}

function fixType(type: unknown, { report }: Context): unknown {
  for (const name of Array.isArray(type) ? type : [type]) {
    if (TYPES.includes(name as string)) continue
    const meant = name === 'any' ? undefined : toJsonType(name)
    const fix =
      name === 'any'
        ? 'remove it: without a type, any value is valid'
        : meant
          ? `use "${meant}"`
          : `use one of ${TYPES.join(', ')}`
    report(`is ${JSON.stringify(name)}, which is not a JSON Schema type`, fix)
  }
  if (TYPES.includes(type as string)) return type
  if (!Array.isArray(type)) return toJsonType(type)
  const known = new Set(type.map(toJsonType))
  // A union with a type that we don't know can be anything.
  if (known.size === 0 || known.has(undefined)) return undefined
  const isValid = known.size === type.length && type.every((name) => known.has(name))
  return isValid ? type : [...known]
}

/** Draft 3 writes `required: true` on the property itself. */
function addRequired(
  { properties }: Record<string, unknown>,
  fixed: Record<string, unknown>,
): Record<string, unknown> {
  // then a property is invalid, so `fixed` is a copy
  if (!isObject(properties) || fixed.properties === properties) return fixed
  const names = Object.keys(properties).filter((name) => {
    const property = properties[name]
    return isObject(property) && property.required === true
  })
  if (names.length === 0) return fixed
  const others = (fixed.required as readonly string[] | undefined) ?? []
  return { ...fixed, required: withoutRepeats([...others, ...names]) }
}

/** Drafts before 2020-12 write a tuple as `items: [ … ]`. OpenAI rejects an array without `items`. */
function fixItems(schema: Record<string, unknown>): Record<string, unknown> {
  const { items, type } = schema
  if (Array.isArray(items)) {
    const { items: _, additionalItems, ...rest } = schema
    return fixItems({
      ...(items.length > 0 && { prefixItems: items }),
      ...rest,
      ...(additionalItems !== undefined && { items: additionalItems }),
    })
  }
  const isArray = type === 'array' || (Array.isArray(type) && type.includes('array'))
  return isArray && items === undefined ? { ...schema, items: {} } : schema
}

function idsIn(node: unknown, ids: Set<unknown> = new Set()): Set<unknown> {
  if (typeof node !== 'object' || node === null) return ids
  if ('$id' in node) ids.add(node.$id)
  for (const child of Object.values(node)) idsIn(child, ids)
  return ids
}

function withoutRepeats(names: readonly string[]): readonly string[] {
  const unique = new Set(names)
  return unique.size === names.length ? names : [...unique]
}
