import { createToolSearch } from 'toolsearch'
import { createLexicon, hybridRanker, translatingRanker } from 'toolsearch/rankers'
import { loadLexicon, loadStaticEmbedder } from 'toolsearch-semantics'

const vectors = await loadStaticEmbedder()
const lexicon = createLexicon(await loadLexicon())
const toolSearch = createToolSearch({
  tools: [
    { name: 'read_file', description: 'Read the contents of a file' },
    { name: 'send_mail', description: 'Send an email' },
    { name: 'get_weather', description: 'Get the weather of a city' },
  ],
  ranker: () => translatingRanker({ ranker: hybridRanker({ vectors }), lexicon }),
})
for (const query of ['Lies die Datei config.json', 'envía un correo a Juan', '查询今天的天气']) {
  console.log(toolSearch.search(query).hits[0]?.tool.name)
}
