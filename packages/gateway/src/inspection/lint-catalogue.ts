import type { Tool, ToolSearch } from 'toolsearch'
import { toolCost } from './tool-cost.ts'

/** Something about a tool that makes it hard to find or dear to have. */
export interface Finding {
  readonly kind:
    | 'changed'
    | 'twin'
    | 'no-description'
    | 'long-description'
    | 'token-hog'
    | 'shadowed'
  readonly tool: string
  /** What it is and what to do, for a person. */
  readonly message: string
}

const LONG_DESCRIPTION = 2_000
const HOG_TOKENS = 1_500

/** What a person would want to mend: what has changed unseen, then what is hard to find or dear. */
export function findProblems(
  toolSearch: Pick<ToolSearch, 'catalogue'>,
  changed: readonly string[],
): Finding[] {
  return [...changed.map(changedFinding), ...lintCatalogue(toolSearch)]
}

/** What a person who owns the catalogue would want to mend. */
export function lintCatalogue({ catalogue }: Pick<ToolSearch, 'catalogue'>): Finding[] {
  const tools = catalogue.sorted()
  return [...findTwins(tools), ...tools.flatMap(lintTool), ...findShadows(tools)]
}

/** A tool that is not what it was when it was approved. */
function changedFinding(name: string): Finding {
  const what = `has changed since it was approved: read it, then run toolsearch accept ${name}`
  return finding('changed', name, what)
}

function lintTool(tool: Tool): Finding[] {
  const { name, description } = tool
  const tokens = toolCost(tool)
  return [
    description.trim() === '' &&
      finding('no-description', name, 'has no description: a search can only go by its name'),
    description.length > LONG_DESCRIPTION &&
      finding(
        'long-description',
        name,
        `has a description of ${description.length} characters: the first ones should say it all`,
      ),
    tokens > HOG_TOKENS &&
      finding(
        'token-hog',
        name,
        `takes ${tokens} tokens whenever it is shown: deny it if you never use it`,
      ),
  ].filter((one) => one !== false)
}

/** Tools a model cannot tell apart, because they say the same. */
function findTwins(tools: readonly Tool[]): Finding[] {
  const byText = new Map<string, string[]>()
  for (const { name, description } of tools) {
    const said = description.trim().toLowerCase()
    if (said !== '') add(byText, said, name)
  }
  return [...byText.values()]
    .filter((names) => names.length > 1)
    .map(([first = '', ...others]) =>
      finding('twin', first, `says the same as ${others.join(', ')}: deny one, or give it a hint`),
    )
}

/** One server's tool with the name of another's: a model may take one for the other. */
function findShadows(tools: readonly Tool[]): Finding[] {
  const byName = new Map<string, string[]>()
  for (const { name } of tools) {
    // a server may do without its name before those of its tools
    const short = name.includes('__') ? name.slice(name.indexOf('__') + 2) : name
    add(byName, short, name)
  }
  return [...byName.values()]
    .filter((names) => names.length > 1)
    .map(([first = '', ...others]) =>
      finding('shadowed', first, `has the same name as ${others.join(', ')}, of other servers`),
    )
}

function add(groups: Map<string, string[]>, key: string, name: string): void {
  const group = groups.get(key)
  if (group) group.push(name)
  else groups.set(key, [name])
}

function finding(kind: Finding['kind'], tool: string, message: string): Finding {
  return { kind, tool, message: `${tool} ${message}.` }
}
