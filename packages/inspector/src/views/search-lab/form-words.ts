import type { SearchReport } from '../../api/contract.ts'

/** How a query was understood. */
export const formWords: Record<SearchReport['form'], string> = {
  select: 'read as a choice of names',
  name: 'read as a name',
  prefix: 'read as the beginning of names',
  words: 'read as words',
  browse: 'read as a wish to see all',
  blank: 'read as blank',
}
