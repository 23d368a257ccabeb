import type { Overview, SearchReport } from 'toolsearch-gateway/inspection'

const inspector = 'http://127.0.0.1:7777'
const overview: Overview = await (await fetch(`${inspector}/api/overview`)).json()
console.log(overview.cost.savedPerTurn)
const report: SearchReport = await (await fetch(`${inspector}/api/search?query=open+a+bug`)).json()
console.log(report.hits.map((hit) => hit.name))
