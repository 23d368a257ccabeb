import { createToolSearch } from 'toolsearch'

const toolSearch = createToolSearch({
  tools: [
    {
      name: 'take_screenshot',
      // with an MCP client: (input) => client.callTool({ name: 'take_screenshot', arguments: input })
      execute: () => ({
        content: [
          { type: 'text', text: 'The page:' },
          { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
        ],
      }),
    },
  ],
})
const session = await toolSearch.session('chat-42')
await session.turn()

const result = await session.run({ name: 'take_screenshot', arguments: {} })
if (result.kind === 'executed') {
  console.log(result.text)
  console.log(result.parts)
}
