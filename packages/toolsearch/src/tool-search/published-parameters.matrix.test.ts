import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { isDeep } from '../../../../testing/deep.ts'
import { readManifests } from '../../../../testing/manifests/read-manifests.ts'
import { readDefinition } from '../catalogue/read-definition.ts'
import type { JsonSchema } from '../catalogue/tool.ts'
import { validSchema } from '../catalogue/valid-schema.ts'
import { isObject } from '../is-object.ts'
import { contentsOf, parseParameters, sampleValues } from './parameters-notation.fixtures.ts'
import { writeParameters } from './write-parameters.ts'

const tools = readManifests().map((tool) => readDefinition(tool))

describe('the parameters of published servers', () => {
  const validators = [new Ajv2020(ajvOptions()), new Ajv(ajvOptions())]

  it('are all written', () => {
    expect(tools).toHaveLength(1_204)
    const missing = tools.filter(({ inputSchema }) => writeParameters(inputSchema) === undefined)
    expect(missing.map(({ name }) => name)).toEqual([])
  })

  it('allow only valid calls, with every optional property and every enum value', () => {
    const invalid: string[] = []
    let calls = 0
    // Compiling a schema takes long.
    const sample = tools.filter((_, at) => isDeep || at % 6 === 0)
    for (const { name, inputSchema } of sample) {
      const written = writeParameters(inputSchema, { descriptions: 60 })!
      const validate = compile(inputSchema)
      const values = sampleValues(parseParameters(written))
      if (values.length === 0) invalid.push(`${name}: no call`)
      for (const value of values) {
        calls += 1
        if (!validate(value)) {
          invalid.push(
            `${name}: ${JSON.stringify(value).slice(0, 200)} ${JSON.stringify(validate.errors)}`,
          )
        }
      }
    }
    expect(invalid).toEqual([])
    expect(calls).toBeGreaterThan(3 * sample.length)
  })

  it('have every property, every enum value and what is required', () => {
    const wrong: string[] = []
    for (const { name, inputSchema } of tools) {
      const { properties, literals } = contentsOf(parseParameters(writeParameters(inputSchema)!))
      const expected = schemaContents(inputSchema)
      for (const property of expected.properties) {
        if (!properties.has(property)) wrong.push(`${name}: ${property} is missing`)
      }
      for (const property of properties) {
        if (!expected.properties.has(property))
          wrong.push(`${name}: ${property} is not in the schema`)
      }
      for (const literal of expected.literals) {
        if (!literals.has(literal)) wrong.push(`${name}: ${literal} is missing`)
      }
    }
    expect(wrong).toEqual([])
  })

  function compile(schema: JsonSchema) {
    const { $schema: dialect, ...rest } = schema
    const isOld = typeof dialect === 'string' && dialect.includes('draft-07')
    return validators[isOld ? 1 : 0]!.compile(validSchema(rest))
  }
})

function ajvOptions() {
  return { strict: false, validateFormats: false, allErrors: true, logger: false } as const
}

/** Every property as `name` or `name?`, and every enum value as JSON, that a call can contain. */
function schemaContents(root: JsonSchema) {
  const properties = new Set<string>()
  const literals = new Set<string>()
  const seen = new Set<unknown>()
  visit(root)
  return { properties, literals }

  function visit(schema: unknown): void {
    if (!isObject(schema) || seen.has(schema)) return
    seen.add(schema)
    if (typeof schema.$ref === 'string') {
      const parts = schema.$ref.split('/').slice(1)
      visit(parts.reduce<unknown>((at, part) => (isObject(at) ? at[part] : undefined), root))
    }
    if ('const' in schema) literals.add(JSON.stringify(schema.const))
    for (const value of Array.isArray(schema.enum) ? schema.enum : []) {
      literals.add(JSON.stringify(value))
    }
    const required = Array.isArray(schema.required) ? schema.required : []
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      properties.add(required.includes(name) ? name : `${name}?`)
      visit(property)
    }
    for (const name of required) properties.add(name)
    visit(schema.items)
    visit(schema.additionalProperties)
    for (const keyword of ['anyOf', 'oneOf', 'allOf'] as const) {
      for (const branch of (schema[keyword] as unknown[] | undefined) ?? []) visit(branch)
    }
  }
}
