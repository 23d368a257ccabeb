import { isObject } from '../is-object.ts'
import { closestKey } from '../options/check-option.ts'

const FIELDS = [
  'name',
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'inputExamples',
  'allowedCallers',
  'cacheControl',
  'source',
  'isMcp',
  'searchHint',
  'tags',
  'annotations',
  'loading',
  'metadata',
  'execute',
  'execution',
  'skill',
  'deferLoading',
  'parametersJsonSchema',
]
/** Known fields that errors never suggest. */
const OTHERS = [
  '_meta',
  'type',
  'function',
  'parameters',
  'input_schema',
  'defer_loading',
  'strict',
  'input_examples',
  'allowed_callers',
  'output_schema',
  'cache_control',
  'responseJsonSchema',
]
const KNOWN: ReadonlySet<string> = new Set([...FIELDS, ...OTHERS, 'validator', 'problems'])
/** What people call the input schema elsewhere. */
const SCHEMA_NAMES = ['schema', 'jsonSchema', 'input', 'params', 'parameter']

/**
 * Finds a field that was probably meant to be one of ours, which would otherwise be silently empty.
 * Other unknown fields are fine: tools of other systems have many.
 */
export function findMisspelling(
  fields: Readonly<Record<string, unknown>>,
): { field: string; meant: string } | undefined {
  for (const field of Object.keys(fields)) {
    if (KNOWN.has(field) || !isGiven(fields[field])) continue
    const found = SCHEMA_NAMES.includes(field)
      ? 'inputSchema'
      : (closestKey(field, FIELDS, maxErrors(field)) ?? shortName(field, fields[field]))
    const meant = found === 'parametersJsonSchema' ? 'inputSchema' : found
    if (meant !== undefined && !isGiven(fields[meant])) return { field, meant }
  }
  return undefined
}

/** Short words are often similar by chance. */
function maxErrors(field: string): number {
  if (field.length < 5) return 0
  return field.length < 8 ? 1 : 2
}

/** A skill that is read as a tool would be offered for calls, so its short name is compared as well. */
function shortName(field: string, value: unknown): string | undefined {
  return field.length === 4 && isObject(value) ? closestKey(field, ['skill'], 1) : undefined
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}
