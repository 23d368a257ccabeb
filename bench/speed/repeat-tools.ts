import type { Tool } from 'toolsearch'

/** Repeats the tools until there are `count`, from servers called `exa_v2`, `exa_v3` and so on. */
export function repeatTools(tools: readonly Tool[], count: number): readonly Tool[] {
  return Array.from({ length: count }, (_, at) => {
    const tool = tools[at % tools.length]!
    const version = Math.floor(at / tools.length) + 1
    return version === 1 ? tool : rename(tool, version)
  })
}

function rename(tool: Tool, version: number): Tool {
  const name = tool.name.replace(/^mcp__(.+?)__/, `mcp__$1_v${version}__`)
  return Object.freeze({ ...tool, name, source: `${tool.source}_v${version}` as Tool['source'] })
}
