import { createToolSearch } from 'toolsearch'

const inputSchema = { type: 'object', properties: { size: { type: 'float' } } }
const { catalogue } = createToolSearch({ tools: [{ name: 'resize', inputSchema }] })
for (const { tool, path, problem, fix } of catalogue.problems()) {
  console.log(`${tool}: ${path} ${problem}; ${fix}`)
}
