import { toJsonSchema } from '@valibot/to-json-schema'
import { createToolSearch } from 'toolsearch'
import * as v from 'valibot'

const { catalogue } = createToolSearch({
  toJsonSchema,
  tools: [{ name: 'get_weather', inputSchema: v.object({ city: v.string() }) }],
})
console.log(catalogue.get('get_weather')?.inputSchema)
