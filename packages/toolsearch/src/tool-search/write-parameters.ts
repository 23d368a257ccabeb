import type { JsonSchema } from '../catalogue/tool.ts'
import { isObject } from '../is-object.ts'
import { addsToName } from './adds-to-name.ts'
import { cutWords } from './cut-words.ts'

export interface WriteParametersOptions {
  /**
   * Maximum length of the description of a parameter, in characters. 0 leaves descriptions out.
   * @default 0
   */
  readonly descriptions?: number
}

/** Beyond this, the schema itself is easier to read, and a hostile one must not cost seconds. */
const MAX_SCHEMAS = 1_000
const MAX_DEPTH = 20
const MAX_DEFAULT = 40
const LARGEST_INTEGER = Number.MAX_SAFE_INTEGER

const KNOWN_FORMATS = new Set(['email', 'uuid', 'date', 'date-time', 'uri', 'ipv4', 'ipv6'])

/** Keywords that restrict values in a way the notation cannot express. */
const INEXPRESSIBLE = [
  ...['not', 'if', 'dependentRequired', 'dependentSchemas', 'dependencies', 'contains'],
  ...['unevaluatedProperties', 'unevaluatedItems', '$dynamicRef', '$recursiveRef'],
]

/**
 * A schema as one line that resembles a TypeScript type. It has every property, enum value and
 * limit of the schema, so that every call the schema allows can be written from it, in about a
 * third of the tokens.
 *
 * - `name?:` is optional, `= value` the default
 * - limits follow the type: `integer(1..100)`, `number(>0)`, `string(uri)`, `string(/^a/)`,
 *   `string(1..80 chars)`, `string[](>=1)`
 * - `[key: string]: T` stands for further properties
 * - `where Name = T` defines what is used several times or contains itself
 *
 * Returns undefined if the schema cannot be written this way or is too large.
 *
 * @example
 * writeParameters(schema) // "{path: string, limit?: integer(1..100) = 10, sort?: 'asc'|'desc'}"
 */
export function writeParameters(
  schema: JsonSchema,
  { descriptions = 0 }: WriteParametersOptions = {},
): string | undefined {
  // Most schemas have no references.
  let uses: Map<unknown, number> | undefined
  const names = new Map<unknown, string>()
  const definitions: string[] = []
  let remaining = MAX_SCHEMAS
  try {
    const root = write(schema, 0)
    return definitions.length === 0 ? root : `${root} where ${definitions.join(', ')}`
  } catch (error) {
    if (error === INEXPRESSIBLE) return undefined
    throw error
  }

  function write(given: unknown, depth: number): string {
    remaining -= 1
    if (remaining < 0 || depth > MAX_DEPTH) throw INEXPRESSIBLE
    if (given === false) return 'never'
    if (!isObject(given)) return 'any'
    if (INEXPRESSIBLE.some((keyword) => given[keyword] !== undefined)) throw INEXPRESSIBLE
    const parts: string[] = []
    if (typeof given.$ref === 'string') parts.push(reference(given.$ref, depth))
    const own = writeOwn(given, depth)
    if (own !== 'any') parts.push(own)
    for (const keyword of ['anyOf', 'oneOf'] as const) {
      if (!Array.isArray(given[keyword])) continue
      const branches = given[keyword].map((branch) => write(branch, depth + 1))
      // "object & ({…}|{…})" says nothing that the branches do not say.
      if (parts.at(-1) === 'object' && branches.every((branch) => branch.startsWith('{'))) {
        parts.pop()
      }
      parts.push(union(branches))
    }
    if (Array.isArray(given.allOf)) {
      parts.push(...given.allOf.map((branch) => write(branch, depth + 1)))
    }
    const said = [...new Set(parts)].filter((part) => part !== 'any')
    if (said.length > 1) return said.map(grouped).join(' & ')
    return said[0] ?? 'any'
  }

  /** What a schema says without its references and branches. */
  function writeOwn(schema: JsonSchema, depth: number): string {
    if ('const' in schema) return literal(schema.const)
    // An empty enum is a mistake: it would allow nothing.
    if (Array.isArray(schema.enum) && schema.enum.length > 0) return union(schema.enum.map(literal))
    const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? impliedType(schema)]
    return union(types.map((type) => writeType(type, schema, depth)))
  }

  function writeType(type: unknown, schema: JsonSchema, depth: number): string {
    if (type === 'object') {
      return writeObject(schema, depth) + limits(range(schema, 'minProperties', 'maxProperties'))
    }
    if (type === 'array') return writeArray(schema, depth)
    if (type === 'string') return `string${limits(...stringLimits(schema))}`
    if (type === 'integer' || type === 'number') return `${type}${limits(...numberLimits(schema))}`
    return type === 'boolean' || type === 'null' ? type : 'any'
  }

  function writeObject(schema: JsonSchema, depth: number): string {
    const { properties, required, additionalProperties, patternProperties } = schema
    // Some authors describe the properties of an object under `items`.
    const { items } = schema
    if (properties === undefined && isObject(items) && isObject(items.properties)) {
      return writeObject(items, depth + 1)
    }
    const known = isObject(properties) ? properties : {}
    const requiredNames = new Set(Array.isArray(required) ? required.map(String) : [])
    const fields = Object.entries(known).map(([name, property]) =>
      field(name, property, requiredNames.has(name), depth),
    )
    for (const name of requiredNames) {
      if (!Object.hasOwn(known, name)) fields.push(`${key(name)}: any`)
    }
    for (const [pattern, property] of Object.entries(asObject(patternProperties))) {
      fields.push(`[key: ${regExp(pattern)}]: ${write(property, depth + 1)}`)
    }
    if (additionalProperties === true || isObject(additionalProperties)) {
      const names =
        schema.propertyNames === undefined ? 'string' : write(schema.propertyNames, depth + 1)
      const keys = names === 'any' ? 'string' : names
      const values = write(additionalProperties, depth + 1)
      // An object without known properties accepts any others.
      if (fields.length > 0 || keys !== 'string' || values !== 'any') {
        fields.push(`[key: ${keys}]: ${values}`)
      }
    } else if (schema.propertyNames !== undefined && additionalProperties !== false) {
      fields.push(`[key: ${write(schema.propertyNames, depth + 1)}]: any`)
    }
    if (fields.length > 0) return `{${fields.join(', ')}}`
    return isObject(properties) || additionalProperties === false ? '{}' : 'object'
  }

  function field(name: string, property: unknown, isRequired: boolean, depth: number): string {
    const type = write(property, depth + 1)
    const { default: value, description } = asObject(property)
    const isConstant = 'const' in asObject(property)
    const written = value === undefined || isConstant ? '' : literal(value)
    const preset = written !== '' && written.length <= MAX_DEFAULT ? ` = ${written}` : ''
    return `${key(name)}${isRequired ? '' : '?'}: ${type}${preset}${comment(name, description)}`
  }

  function comment(name: string, description: unknown): string {
    if (descriptions === 0 || typeof description !== 'string') return ''
    if (!addsToName(description, name)) return ''
    return ` /* ${cutWords(description.replaceAll('*/', '* /'), descriptions)} */`
  }

  function writeArray(schema: JsonSchema, depth: number): string {
    const { items, prefixItems } = schema
    const size = limits(
      range(schema, 'minItems', 'maxItems'),
      schema.uniqueItems === true && 'unique',
    )
    const tuple = Array.isArray(items) ? items : prefixItems
    if (!Array.isArray(tuple)) return `${grouped(write(items ?? true, depth + 1))}[]${size}`
    const rest = Array.isArray(items) ? schema.additionalItems : items
    const places = tuple.map((item) => write(item, depth + 1))
    if (rest !== false) places.push(`...${grouped(write(rest ?? true, depth + 1))}[]`)
    return `[${places.join(', ')}]${size}`
  }

  /** A schema that is used once is written in place, any other under a name. */
  function reference(ref: string, depth: number): string {
    const target = resolve(schema, ref)
    if (target === undefined) throw INEXPRESSIBLE
    uses ??= countReferences(schema)
    if (uses.get(target) === 1) return write(target, depth + 1)
    const known = names.get(target)
    if (known !== undefined) return known
    const name = freeName(ref)
    names.set(target, name)
    const at = definitions.push('') - 1
    // Its depth starts anew: it is written next to the rest, not inside it.
    definitions[at] = `${name} = ${write(target, 0)}`
    return name
  }

  function freeName(ref: string): string {
    const last = ref
      .split('/')
      .at(-1)!
      .replace(/[^A-Za-z0-9_]/g, '_')
    const name = /^[A-Za-z]/.test(last) ? last[0]!.toUpperCase() + last.slice(1) : `Type${last}`
    const taken = new Set(names.values())
    let free = name
    for (let count = 2; taken.has(free); count += 1) free = `${name}${count}`
    return free
  }
}

/** How often each referenced schema is used. A schema that contains itself counts twice. */
function countReferences(root: JsonSchema): Map<unknown, number> {
  const uses = new Map<unknown, number>()
  let remaining = MAX_SCHEMAS * 20
  visit(root, [root])
  return uses

  function visit(value: unknown, path: readonly unknown[]): void {
    remaining -= 1
    if (remaining < 0 || path.length > MAX_DEPTH * 3) return
    if (Array.isArray(value)) {
      for (const item of value) visit(item, [...path, item])
      return
    }
    if (!isObject(value)) return
    for (const [keyword, nested] of Object.entries(value)) {
      if (keyword === '$defs' || keyword === 'definitions') continue
      if (keyword !== '$ref' || typeof nested !== 'string') {
        visit(nested, [...path, nested])
        continue
      }
      const target = resolve(root, nested)
      if (target === undefined) continue
      const before = uses.get(target) ?? 0
      uses.set(target, before + (path.includes(target) ? 2 : 1))
      if (before === 0 && !path.includes(target)) visit(target, [...path, target])
    }
  }
}

/** The schema that a local reference such as `#/$defs/filter` means. */
function resolve(root: JsonSchema, ref: string): unknown {
  if (ref !== '#' && !ref.startsWith('#/')) return undefined
  let at: unknown = root
  for (const part of ref.split('/').slice(1)) {
    const name = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~')
    at =
      typeof at === 'object' && at !== null && Object.hasOwn(at, name)
        ? at[name as never]
        : undefined
  }
  return at
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function impliedType(schema: JsonSchema): string | undefined {
  const has = (...keywords: string[]) => keywords.some((keyword) => schema[keyword] !== undefined)
  if (has('properties', 'required', 'additionalProperties', 'patternProperties')) return 'object'
  return has('items', 'prefixItems') ? 'array' : undefined
}

function stringLimits(schema: JsonSchema): (string | false)[] {
  const { format, pattern } = schema
  const length = range(schema, 'minLength', 'maxLength')
  const hasFormat = typeof format === 'string' && /^[\w-]+$/.test(format)
  // Libraries add their long pattern to formats such as `email`, which everybody knows.
  const isImplied = hasFormat && KNOWN_FORMATS.has(format)
  return [
    hasFormat && format,
    length !== false && `${length} chars`,
    typeof pattern === 'string' && !isImplied && regExp(pattern),
  ]
}

function numberLimits(schema: JsonSchema): (string | false)[] {
  const { exclusiveMinimum: above, exclusiveMaximum: below, multipleOf } = schema
  return [
    range(schema, 'minimum', 'maximum'),
    isBound(above) && `>${above}`,
    isBound(below) && `<${below}`,
    typeof multipleOf === 'number' && `multiple of ${multipleOf}`,
  ]
}

function range(schema: JsonSchema, lowest: string, highest: string): string | false {
  const { [lowest]: least, [highest]: most } = schema
  if (isBound(least) && isBound(most)) return least === most ? `${least}` : `${least}..${most}`
  if (isBound(least)) return lowest !== 'minimum' && least === 0 ? false : `>=${least}`
  return isBound(most) && `<=${most}`
}

/** Some libraries limit every integer to what a double can hold. */
function isBound(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) < LARGEST_INTEGER
}

function limits(...all: readonly (string | false)[]): string {
  const given = all.filter((limit) => limit !== false)
  return given.length === 0 ? '' : `(${given.join(', ')})`
}

function union(branches: readonly string[]): string {
  const different = [...new Set(branches)]
  if (different.length === 0) return 'never'
  if (different.includes('any')) return 'any'
  return different.map((branch) => (branch.includes(' & ') ? grouped(branch) : branch)).join('|')
}

/** In parentheses, if the type consists of several. */
function grouped(type: string): string {
  return hasOperator(type) ? `(${type})` : type
}

function hasOperator(type: string): boolean {
  let depth = 0
  let quote = ''
  for (let at = 0; at < type.length; at += 1) {
    const sign = type[at]!
    if (sign === '\\') at += 1
    else if (quote !== '') quote = sign === quote ? '' : quote
    else if (sign === "'" || (sign === '/' && '( '.includes(type[at - 1] ?? ''))) quote = sign
    else if ('{[('.includes(sign)) depth += 1
    else if ('}])'.includes(sign)) depth -= 1
    else if (depth === 0 && (sign === '|' || sign === '&')) return true
  }
  return false
}

function key(name: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : text(name)
}

function literal(value: unknown): string {
  if (typeof value === 'string') return text(value)
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (!isObject(value)) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, each]) => `${key(name)}: ${literal(each)}`)
    .join(', ')}}`
}

/** In single quotes: an answer is JSON, where double quotes have to be escaped. */
function text(value: string): string {
  return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

function regExp(pattern: string): string {
  return `/${pattern.replace(/\\.|\//gs, (found) => (found === '/' ? '\\/' : found))}/`
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}
