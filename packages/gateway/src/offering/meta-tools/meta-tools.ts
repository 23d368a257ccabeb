import { callTools } from './call-tools.ts'
import { describeTools } from './describe-tools.ts'
import type { MetaTool } from './meta-tool.ts'
import { readResult } from './read-result.ts'
import { scriptTools } from './script-tools.ts'
import { toolSearch } from './tool-search.ts'

/** The gateway's own tools by their names, in the order in which they are listed. */
export const META_TOOLS: ReadonlyMap<string, MetaTool> = new Map(
  [toolSearch, describeTools, ...callTools, ...scriptTools, readResult].map((tool) => [
    tool.name,
    tool,
  ]),
)
