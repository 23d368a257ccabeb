import { createRequire } from 'node:module'
import type { Ajv } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import type { JsonSchema, ValidateArguments } from 'toolsearch'

const require = createRequire(import.meta.url)

/** Checks arguments as their schema says. A schema is compiled when its tool is first called. */
export function createValidateArguments(): ValidateArguments {
  const options = { strict: false, allErrors: true, validateFormats: false, logger: false } as const
  let older: Ajv | undefined
  let newer: Ajv2020 | undefined
  // loaded with the first call: a list and a search do without it
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
      // an id would be remembered, and another tool may have the same
      const { $id: _, $schema, ...rest } = schema
      validate = /draft-0[4-7]/.test(String($schema))
        ? draft7().compile(rest)
        : draft2020().compile(rest)
      compiled.set(schema, validate)
    }
    if (validate(value)) return []
    return (validate.errors ?? []).map(
      ({ instancePath, message = 'does not fit' }) =>
        `${instancePath === '' ? 'the arguments' : instancePath.slice(1).replaceAll('/', '.')} ${message}`,
    )
  }
}
