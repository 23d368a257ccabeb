import { createRequire } from 'node:module'
import type { Ajv } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import type { JsonSchema, ValidateArguments } from 'toolsearch'

const require = createRequire(import.meta.url)

/** Validates arguments with Ajv. Compiles a schema on the first call of its tool. */
export function createValidateArguments(): ValidateArguments {
  const options = { strict: false, allErrors: true, validateFormats: false, logger: false } as const
  let older: Ajv | undefined
  let newer: Ajv2020 | undefined
  // Loaded with the first call: listing and searching do not need Ajv.
  const draft7 = () => {
    const { Ajv } = require('ajv') as typeof import('ajv')
    older ??= new Ajv(options)
    return older
  }
  const draft2020 = () => {
    const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
    newer ??= new Ajv2020(options)
    return newer
  }
  const compiled = new WeakMap<JsonSchema, ReturnType<Ajv['compile']>>()
  return (schema, value) => {
    let validate = compiled.get(schema)
    if (validate === undefined) {
      // Ajv registers schemas by `$id` and rejects a second one, but two tools may share an `$id`.
      const { $id: _, $schema, ...rest } = schema
      validate = /draft-0[4-7]/.test(String($schema))
        ? draft7().compile(rest)
        : draft2020().compile(rest)
      compiled.set(schema, validate)
    }
    if (validate(value)) return []
    return (validate.errors ?? []).map(
      ({ instancePath, message = 'is invalid' }) =>
        `${instancePath === '' ? 'the arguments' : instancePath.slice(1).replaceAll('/', '.')} ${message}`,
    )
  }
}
