import { createToolSearch } from 'toolsearch'
import { z } from 'zod'

const toolSearch = createToolSearch({
  tools: [
    {
      name: 'get_weather',
      inputSchema: z.object({ city: z.string(), unit: z.enum(['C', 'F']).default('C') }),
      execute: ({ city, unit }) => `15 °${unit} in ${city}`,
    },
  ],
})
const session = await toolSearch.session('chat-42')
await session.turn()
const result = await session.run({ name: 'get_weather', arguments: { city: 'Oslo' } })
console.log(result.kind === 'executed' && result.text)
