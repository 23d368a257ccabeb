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

/** A part of a JSON Schema that no validator can compile. */
export interface SchemaProblem {
  /** Where it is, such as `properties.limit.type`; empty for the schema itself. */
  readonly path: string
  readonly problem: string
  /** What to write instead. */
  readonly fix: string
}

const MAX_PROBLEMS = 100

/**
 * Lists what prevents validators from compiling a schema: unknown types, invalid regular
 * expressions, dangling references, keywords with a value of the wrong kind. Stops after 100
 * problems. Does not check against the meta-schema: unknown keywords are valid JSON Schema.
 *
 * The schema must be JSON: a tree without cycles.
 */
export function checkSchema(schema: unknown): readonly SchemaProblem[] {
  if (!isObject(schema)) {
    return [{ path: '', problem: 'is not a JSON Schema object', fix: 'use an object' }]
  }
  const problems: SchemaProblem[] = []
  checkNode(schema, schema, [], problems)
  return problems.slice(0, MAX_PROBLEMS)
}

type Path = (string | number)[]

/** `path` is one array for the whole walk, because most schemas have no problem to locate. */
function checkNode(schema: unknown, base: unknown, path: Path, problems: SchemaProblem[]): void {
  if (typeof schema === 'boolean' || problems.length >= MAX_PROBLEMS) return
  const report = (keyword: string | undefined, problem: string, fix: string) => {
    const at = keyword === undefined ? path : [...path, keyword]
    problems.push({ path: at.join('.'), problem, fix })
  }
  if (!isObject(schema)) {
    report(undefined, 'is not a schema', 'use a schema object, true or false')
    return
  }
  const root = rootOf(schema, base)

  checkType(schema.type, report)
  checkKeywords(schema, root, report)

  const visit = (child: unknown, ...steps: Path) => {
    path.push(...steps)
    checkNode(child, root, path, problems)
    path.length -= steps.length
  }
  for (const keyword of SCHEMA_KEYWORDS) {
    const child = schema[keyword]
    if (child === undefined) continue
    // drafts before 2020-12 write a tuple as an array under "items"
    if (keyword === 'items' && Array.isArray(child)) {
      for (const [index, item] of child.entries()) visit(item, keyword, index)
    } else visit(child, keyword)
  }
  for (const keyword of SCHEMA_LIST_KEYWORDS) {
    const list = schema[keyword]
    if (list === undefined) continue
    if (!Array.isArray(list)) report(keyword, 'is not an array of schemas', 'use an array')
    else for (const [index, item] of list.entries()) visit(item, keyword, index)
  }
  for (const keyword of SCHEMA_MAP_KEYWORDS) {
    const map = schema[keyword]
    if (map === undefined) continue
    if (!isObject(map)) report(keyword, 'is not an object of schemas', 'use an object')
    else
      for (const key of Object.keys(map)) {
        const child = map[key]
        // JSON drops undefined members; drafts before 2019-09 list property names as dependencies
        const isSchema =
          child !== undefined && !(keyword === 'dependencies' && Array.isArray(child))
        if (isSchema) visit(child, keyword, key)
      }
  }
}

type Report = (keyword: string, problem: string, fix: string) => void

function checkType(type: unknown, report: Report): void {
  if (type === undefined) return
  for (const name of Array.isArray(type) ? type : [type]) {
    if (TYPES.includes(name as string)) continue
    const meant = name === 'any' ? undefined : toJsonType(name)
    const fix =
      name === 'any'
        ? 'remove it: without a type, any value is valid'
        : meant
          ? `use "${meant}"`
          : `use one of ${TYPES.join(', ')}`
    report('type', `is ${JSON.stringify(name)}, which is not a JSON Schema type`, fix)
  }
}

function checkKeywords(schema: Record<string, unknown>, root: unknown, report: Report): void {
  const { required, pattern, patternProperties, $ref } = schema
  // draft 3 has a boolean "required" on each property, which some models and servers still write
  if (required !== undefined && typeof required !== 'boolean' && !isListOfStrings(required)) {
    report('required', 'is not an array of property names', 'list the names of required properties')
  }
  if (schema.enum !== undefined && !Array.isArray(schema.enum)) {
    report('enum', 'is not an array of values', 'list the allowed values')
  }
  const patterns = [
    ['pattern', pattern] as const,
    ...(isObject(patternProperties)
      ? Object.keys(patternProperties).map((key) => [`patternProperties.${key}`, key] as const)
      : []),
  ]
  for (const [keyword, text] of patterns) {
    if (text === undefined || compiles(text)) continue
    const problem = `is not a valid regular expression: ${JSON.stringify(text)}`
    report(keyword, problem, 'use JavaScript syntax (ECMA-262), or remove it')
  }
  if ($ref === undefined) return
  if (typeof $ref !== 'string') report('$ref', 'is not a string', 'use a path such as "#/$defs/a"')
  else if ($ref.startsWith('#') && !resolvesReference($ref, root)) {
    report('$ref', `cannot be resolved: ${$ref}`, 'add the definition, or remove the reference')
  }
}
