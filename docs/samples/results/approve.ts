import { createToolSearch, type RunnableCall } from 'toolsearch'

const toolSearch = createToolSearch({
  tools: [{ name: 'delete_branch', execute: ({ branch }) => `Deleted ${branch}.` }],
})
const session = await toolSearch.session('chat-42')
await session.turn()

const checked = await session.answer({ name: 'delete_branch', arguments: { branch: 'old' } })
if (checked.kind === 'answered')
  console.log(checked.text) // for the model
else if (await isApproved(checked)) console.log((await session.execute(checked)).kind)
else console.log('The user declined this call.')

async function isApproved({ tool }: RunnableCall): Promise<boolean> {
  return tool.name === 'delete_branch' // ask a person here
}
