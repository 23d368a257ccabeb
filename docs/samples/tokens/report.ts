import { createToolSearch } from 'toolsearch'

const toolSearch = createToolSearch({
  tools: [
    { name: 'read_file', description: 'Read a file' },
    { name: 'send_mail', description: 'Send an email' },
  ],
})
const session = await toolSearch.session('chat-42')
const turn = await session.turn()
const { eager, sent, saved, savedShare, sources } = session.report(turn)
console.log({ eager, sent, saved, savedShare, sources })
