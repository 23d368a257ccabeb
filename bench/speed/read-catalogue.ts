import type { Tool, ToolDefinition } from 'toolsearch'
import { createCatalogue } from '../../packages/toolsearch/src/catalogue/catalogue.ts'
import { readLines } from '../data/read-lines.ts'
import { setFiles } from '../data/read-sets.ts'

export interface CatalogueData {
  readonly tools: readonly Tool[]
  /** How many definitions of the file are invalid and left out. */
  readonly rejected: number
}

/** Reads the tools of a data set. @throws InputError */
export function readCatalogue(folder: string, set: string): CatalogueData {
  const catalogue = createCatalogue()
  const definitions = readLines(setFiles(folder, set).tools).map(({ fields }) => {
    const { name, description, parameters } = fields
    return { name, description, inputSchema: parameters } as ToolDefinition
  })
  const { rejected } = catalogue.add(definitions, { problems: 'skip' })
  return { tools: catalogue.tools(), rejected: rejected.length }
}
