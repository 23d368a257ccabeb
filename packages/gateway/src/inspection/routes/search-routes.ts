import {
  RequestError,
  readLimit,
  readQuery,
  readSavedQuery,
  readToolName,
} from '../read-request.ts'
import { savedReport } from '../saved-report.ts'
import type { SearchLab } from '../search-lab.ts'
import { searchReport, toolExplanation } from '../search-report.ts'
import type { Routes } from './route.ts'

/** Searches, explanations and saved queries. */
export const SEARCH_ROUTES: Routes = {
  '/api/search': {
    GET: async ({ target, lab, url }) => {
      const query = readQuery(url)
      const limit = readLimit(url)
      const search = await chosenSearch(lab, url)
      return (await searchReport(target.gateway, { query, limit, ...search })).report
    },
  },
  '/api/explain': {
    GET: async ({ target, lab, url }) => {
      const query = readQuery(url)
      const limit = readLimit(url)
      const tool = readToolName(url)
      const { toolSearch } = await chosenSearch(lab, url)
      return toolExplanation(target, { query, tool, limit, toolSearch })
    },
  },
  '/api/examples': { GET: async ({ examples }) => examples.list() },
  '/api/saved': {
    GET: async ({ target, lab, url }) => savedReport(target.saved, await chosenSearch(lab, url)),
    POST: {
      action: 'query.save',
      async run({ target, lab, live, url, request }) {
        const search = await chosenSearch(lab, url)
        await target.saved.save(await readSavedQuery(request))
        live.send({ kind: 'saved' })
        return savedReport(target.saved, search)
      },
    },
    DELETE: {
      action: 'query.remove',
      async run({ target, lab, live, url }) {
        const search = await chosenSearch(lab, url)
        const query = readQuery(url)
        if (!(await target.saved.remove(query))) {
          throw new RequestError(404, `The query "${query}" is not saved.`)
        }
        live.send({ kind: 'saved' })
        return savedReport(target.saved, search)
      },
    },
  },
}

async function chosenSearch(lab: SearchLab, { searchParams }: URL) {
  const id = searchParams.get('ranker') ?? undefined
  const search = await lab.toolSearch(id)
  if (search) return search
  const ids = (await lab.rankers()).map((ranker) => ranker.id)
  throw new RequestError(400, `There is no ranker "${id}". Available rankers: ${ids.join(', ')}.`)
}
