import { createToolSearch, type Finder, unified } from 'toolsearch'

/** `#tag` returns the tools with this tag. */
const byTag: Finder = ({ query, limit }, view) => {
  if (!query.text.startsWith('#')) return undefined
  const tools = view.tools().filter(({ tags }) => tags.includes(query.text.slice(1)))
  const hits = tools.slice(0, limit).map((tool) => ({ tool, status: view.status(tool) }))
  return { form: 'name', hits }
}

const toolSearch = createToolSearch({
  preset: { ...unified, finders: [byTag, ...unified.finders] },
  tools: [
    { name: 'pay_invoice', tags: ['money'] },
    { name: 'send_email', tags: ['mail'] },
  ],
})
console.log(toolSearch.search('#money').hits.map(({ tool }) => tool.name))
