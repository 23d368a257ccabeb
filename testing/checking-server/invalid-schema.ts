import { Ajv2020 } from 'ajv/dist/2020.js'

const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false })
const known = new Map<string, string | undefined>()
const MAX_KNOWN = 20_000

/**
 * Why a JSON Schema is invalid, if it is. Services check schemas against the meta-schema of draft
 * 2020-12, and OpenAI also rejects dangling references and arrays without `items`.
 */
export function invalidSchema(schema: unknown): string | undefined {
  const text = JSON.stringify(schema)
  if (!known.has(text)) {
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(text, metaProblem(schema) ?? nodeProblem(schema, schema))
  }
  return known.get(text)
}

const compiled = new Map<string, (value: unknown) => string | undefined>()
const MAX_COMPILED = 1_000

/** Why a value is invalid for a JSON Schema, or undefined if it is valid. */
export function schemaMismatch(schema: unknown, value: unknown): string | undefined {
  const text = JSON.stringify(schema)
  let validate = compiled.get(text)
  if (validate === undefined) {
    if (compiled.size >= MAX_COMPILED) compiled.clear()
    const { $schema: _, ...rest } = JSON.parse(text)
    validate = compile(rest)
    compiled.set(text, validate)
  }
  return validate(value)
}

function compile(schema: object): (value: unknown) => string | undefined {
  const validate = ajv.compile(schema)
  // We keep it ourselves, by its text: every request has new objects.
  ajv.removeSchema(schema)
  return (value) =>
    validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: 'arguments' })
}

function metaProblem(schema: unknown): string | undefined {
  // Services ignore which draft a schema names.
  const { $schema: _, ...rest } = schema as Record<string, unknown>
  if (ajv.validateSchema(rest) === true) return undefined
  const [first] = ajv.errors ?? []
  return `${first?.instancePath || '/'} ${first?.message}`
}

function nodeProblem(node: unknown, root: unknown): string | undefined {
  if (typeof node !== 'object' || node === null) return undefined
  const { type, items, $ref } = node as Record<string, unknown>
  if (type === 'array' && items === undefined) return 'array schema missing items.'
  if (typeof $ref === 'string' && !resolves($ref, root)) return `reference ${$ref} not found.`
  for (const child of Object.values(node)) {
    const problem = nodeProblem(child, root)
    if (problem) return problem
  }
  return undefined
}

function resolves(reference: string, root: unknown): boolean {
  if (!reference.startsWith('#/')) return reference === '#'
  let target = root
  for (const key of reference.slice(2).split('/')) {
    if (typeof target !== 'object' || target === null || !Object.hasOwn(target, key)) return false
    target = (target as Record<string, unknown>)[key]
  }
  return true
}
