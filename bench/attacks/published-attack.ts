import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readLines } from '../data/read-lines.ts'
import { pickEvenly } from '../evaluation/tuning-sets.ts'
import type { Attack } from './hostile-tools.ts'

/** The hostile tools of the MSB benchmark, if the data folder has them. @throws InputError */
export function publishedAttack(folder: string): Attack | undefined {
  const file = join(folder, 'msb-attacks', 'tools.jsonl')
  if (!existsSync(file)) return undefined
  const tools = readLines(file).map(({ fields }) => {
    const { server, name, description, parameters } = fields as unknown as PublishedTool
    const properties = Object.fromEntries(parameters.map((parameter) => [parameter, {}]))
    return {
      name: `mcp__${server}__${name}`,
      source: `mcp:${server}` as const,
      description,
      inputSchema: { type: 'object', properties },
    }
  })
  const distinct = [...new Map(tools.map((tool) => [tool.name, tool])).values()]
  return {
    name: 'published (MSB)',
    write: (_, count) => pickEvenly(distinct, count),
  }
}

interface PublishedTool {
  readonly server: string
  readonly name: string
  readonly description: string
  readonly parameters: readonly string[]
}
