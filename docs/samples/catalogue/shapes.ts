import { createToolSearch } from 'toolsearch'

const schema = { type: 'object', properties: { city: { type: 'string' } } }
const { catalogue } = createToolSearch({
  tools: [
    { name: 'get_weather', description: 'Get the weather', inputSchema: schema }, // our own or MCP
    { type: 'function', function: { name: 'get_news', parameters: schema } }, // Chat Completions
    { type: 'function', name: 'get_traffic', parameters: schema }, // Responses
    { name: 'get_events', input_schema: schema }, // Anthropic
  ],
})
catalogue.add({ get_map: { description: 'Get a map', inputSchema: schema } }) // AI SDK
console.log(catalogue.tools().map((tool) => tool.name))
