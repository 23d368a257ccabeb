// Generates config-schema.json from the rules of the configuration reader.
import { writeFileSync } from 'node:fs'
import { configJsonSchema } from '../src/config/config-json-schema.ts'

const file = new URL('../config-schema.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(configJsonSchema(), null, 2)}\n`)
