import { createToolSearch } from 'toolsearch'

const toolSearch = createToolSearch({
  tools: [
    {
      name: 'get_weather',
      description: 'Get the weather of a city',
      inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  ],
  activation: 'always',
})
const session = await toolSearch.session('chat-42')

const search = { name: 'tool_search', arguments: { query: 'weather' } }
console.log(await session.answer(search)) // what the model reads, and the same content as an object

const wrong = { name: 'get_weather', arguments: {} }
console.log((await session.answer(wrong))?.text) // says what is missing

const right = { name: 'get_weather', arguments: { city: 'Oslo' } }
console.log(await session.answer(right)) // undefined: run the call
console.log(await session.answer({ ...right, problems: ['the city does not exist'] }))
