import type { Overview, SearchReport } from 'toolsearch-gateway/inspection'

const get = async (path: string) => (await fetch(`http://127.0.0.1:7777/api/${path}`)).json()

const overview = (await get('overview')) as Overview
console.log(overview.cost.savedPerTurn)
const report = (await get('search?query=report+a+bug')) as SearchReport
console.log(report.hits.map((hit) => hit.name))
