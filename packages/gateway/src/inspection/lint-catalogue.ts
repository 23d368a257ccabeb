import type { Tool, ToolSearch } from 'toolsearch'
import { promotionOf } from '../offering/approvals/promotion-of.ts'
import type { SetupProblem } from '../offering/setup-problem.ts'
import { toolCost } from './cost-report.ts'

/**
 * An issue with a tool: it changed unreviewed, is invalid, hard to find, promotes itself or takes many tokens. Or a
 * setting that does not do what its author meant (`setup`).
 */
export interface Finding {
  readonly kind:
    | 'setup'
    | 'changed'
    | 'invalid-schema'
    | 'twin'
    | 'no-description'
    | 'long-description'
    | 'token-hog'
    | 'shadowed'
    | 'promotion'
  /** Empty if the issue concerns no tool that is offered. */
  readonly tool: string
  /** The other tools that it concerns, such as those with the same name. */
  readonly others?: readonly string[]
  /** The issue and what to do about it, for people. */
  readonly message: string
}

const LONG_DESCRIPTION = 2_000
const HOG_TOKENS = 1_500

/**
 * Finds the issues that the owner of a catalogue would want to fix.
 *
 * @param changed tools whose definition changed since it was approved
 * @param setup settings that don't do what their author meant
 */
export function lintCatalogue(
  { catalogue }: Pick<ToolSearch, 'catalogue'>,
  changed: readonly string[],
  setup: readonly SetupProblem[] = [],
): Finding[] {
  const tools = catalogue.sorted().filter(({ skill }) => !skill)
  return [
    ...setup.map(({ tool = '', message }): Finding => ({ kind: 'setup', tool, message })),
    ...changed.map(changedFinding),
    ...tools.flatMap(findSchemaProblems),
    ...findTwins(tools),
    ...tools.flatMap(lintTool),
    ...findNameConflicts(tools),
  ]
}

function changedFinding(tool: string): Finding {
  const message = `${tool} changed since it was approved. Review it, then run toolsearch accept ${tool}.`
  return { kind: 'changed', tool, message }
}

/** Names the first problem, because one mistake often occurs many times. */
function findSchemaProblems({ name, problems }: Tool): Finding[] {
  const [first] = problems
  if (first === undefined) return []
  const more = problems.length > 1 ? ` ${problems.length - 1} more like this.` : ''
  const message = `${name} has an invalid schema, so its arguments are not checked: ${first.path} ${first.problem}. Fix: ${first.fix}.${more}`
  return [{ kind: 'invalid-schema', tool: name, message }]
}

function lintTool(tool: Tool): Finding[] {
  const { name, description } = tool
  const promotion = promotionOf(tool)
  const tokens = toolCost(tool)
  const findings: Finding[] = []
  if (promotion !== undefined) {
    const message = `${name} promotes itself or gives orders to the model: ${JSON.stringify(promotion)}. Searches ignore this sentence, models don't. Add the tool to "deny" if you don't trust its server.`
    findings.push({ kind: 'promotion', tool: name, message })
  }
  if (description.trim() === '') {
    const message = `${name} has no description, so a search can only match its name.`
    findings.push({ kind: 'no-description', tool: name, message })
  }
  if (description.length > LONG_DESCRIPTION) {
    const length = description.length.toLocaleString('en-GB')
    const message = `${name} has a description of ${length} characters. Its first sentences should say what it does.`
    findings.push({ kind: 'long-description', tool: name, message })
  }
  if (tokens > HOG_TOKENS) {
    const count = tokens.toLocaleString('en-GB')
    const message = `${name} takes ${count} tokens each time it is loaded. Add it to "deny" if you never use it.`
    findings.push({ kind: 'token-hog', tool: name, message })
  }
  return findings
}

/** Finds tools with the same description: a model cannot choose between them. */
function findTwins(tools: readonly Tool[]): Finding[] {
  const described = tools.filter(({ description }) => description.trim() !== '')
  return sharing(described, ({ description }) => description.trim().toLowerCase()).map(
    ([tool, others]) => {
      const message = `${tool} has the same description as ${others.join(', ')}. Add one of them to "deny", or give it a search hint.`
      return { kind: 'twin', tool, others, message }
    },
  )
}

/** Finds tools of different servers with the same name: a model may confuse them. */
function findNameConflicts(tools: readonly Tool[]): Finding[] {
  return sharing(tools, ownName).map(([tool, others]) => {
    const message = `${tool} has the same name as ${others.join(', ')} from other servers. A model may confuse them.`
    return { kind: 'shadowed', tool, others, message }
  })
}

/** The tool's name without its server; servers can be configured to have no prefix. */
function ownName({ name }: Tool): string {
  return name.includes('__') ? name.slice(name.indexOf('__') + 2) : name
}

/** Groups of at least two tools with the same key, each as its first name and the others. */
function sharing(
  tools: readonly Tool[],
  keyOf: (tool: Tool) => string,
): [first: string, others: string[]][] {
  const groups = new Map<string, [string, string[]]>()
  for (const tool of tools) {
    const group = groups.get(keyOf(tool))
    if (group) group[1].push(tool.name)
    else groups.set(keyOf(tool), [tool.name, []])
  }
  return [...groups.values()].filter(([, others]) => others.length > 0)
}
