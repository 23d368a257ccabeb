import {
  type CountTokens,
  estimateTokens,
  type Tool,
  type ToolSearch,
  toolTokens,
} from 'toolsearch'

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

/** What a person who owns the catalogue would want to mend. */
export function lintCatalogue(
  { catalogue }: Pick<ToolSearch, 'catalogue'>,
  countTokens: CountTokens = estimateTokens,
): Finding[] {
  const tools = catalogue.sorted()
  return [
    ...findTwins(tools),
    ...tools.flatMap((tool) => lintTool(tool, countTokens)),
    ...findShadows(tools),
  ]
}

/** A tool that is not what it was when it was approved. */
export function changedFinding(name: string): Finding {
  const what = `has changed since it was approved: read it, then run toolsearch accept ${name}`
  return finding('changed', name, what)
}

function lintTool(tool: Tool, countTokens: CountTokens): Finding[] {
  const { name, description } = tool
  const tokens = toolTokens(tool, countTokens)
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
    if (said !== '') byText.set(said, [...(byText.get(said) ?? []), name])
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
    const short = name.split('__').slice(1).join('__')
    byName.set(short, [...(byName.get(short) ?? []), name])
  }
  return [...byName.values()]
    .filter((names) => names.length > 1)
    .map(([first = '', ...others]) =>
      finding('shadowed', first, `has the same name as ${others.join(', ')}, of other servers`),
    )
}

function finding(kind: Finding['kind'], tool: string, message: string): Finding {
  return { kind, tool, message: `${tool} ${message}.` }
}
