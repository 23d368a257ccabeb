import {
  type DefinitionChange,
  definitionChanges,
  newDefinition,
} from '../offering/approvals/definition-changes.ts'
import type { FileChange } from '../offering/approvals/skill-changes.ts'
import type { WaitingTool } from '../offering/shared-tools.ts'
import type { GatewayInternals } from '../open-internals.ts'
import { isObject } from '../protocol/json-object.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import { isSkillName } from '../skills/skill-names.ts'
import { type Command, commonHelp, commonOptions, FAILED, OK, type Terminal } from './command.ts'
import { noSuchTools, UsageError } from './command-errors.ts'
import { countTools } from './count-tools.ts'
import { fetchSkills } from './fetch-skills.ts'
import { paint } from './format.ts'
import { plain, plainLines } from './plain.ts'
import { withGateway } from './with-gateway.ts'

export const reviewCommand: Command = {
  name: 'review',
  summary: 'Show the tools and skills that wait for approval, and what changed',
  usage: '[TOOL…] [options]',
  options: commonOptions,
  help: [...commonHelp, 'TOOL               the tools or skills to show (default: all that wait)'],
  examples: ['toolsearch review', 'toolsearch review files__read_file'],
  run: (call) =>
    withGateway(call, async (open) => {
      const { terminal, values, args } = call
      const { gateway } = open
      await fetchSkills(gateway, args)
      const unknown = args.filter((name) => !gateway.origin(name))
      if (unknown.length > 0) throw new UsageError(noSuchTools(unknown))
      // Indexes the tools; the history then contains the definitions that they replace.
      gateway.waitingTools()
      await open.approvals.saved()
      const chosen = gateway
        .waitingTools()
        .filter(({ name }) => args.length === 0 || args.includes(name))
      const waiting: Review[] = []
      for (const tool of chosen) waiting.push(await reviewOf(open, tool))
      if (values.json) terminal.print(JSON.stringify(waiting, null, 2))
      else if (waiting.length === 0) terminal.say('Nothing waits for approval.')
      else {
        for (const review of waiting) printReview(terminal, review)
        printAdvice(terminal, waiting)
      }
      return waiting.some(({ kind }) => kind !== 'blocked') ? FAILED : OK
    }),
}

interface Review extends WaitingTool {
  readonly definition: McpTool
  /** Absent if the approved definition is no longer known. */
  readonly changes?: readonly DefinitionChange[]
  /** Of a skill, likewise. */
  readonly files?: readonly FileChange[]
  /** A sentence that promotes the tool or gives orders to the model. */
  readonly promotion?: string
}

async function reviewOf(
  { gateway, approvals }: GatewayInternals,
  waiting: WaitingTool,
): Promise<Review> {
  const { server, tool, skill } = gateway.origin(waiting.name)!
  const approved = approvals.approvedDefinition(server, tool.name)
  // Not a static import: every command would load the library to show its help.
  const { promotionOf } = await import('../offering/approvals/promotion-of.ts')
  const promotion = promotionOf(tool)
  const review = { ...waiting, definition: tool, ...(promotion !== undefined && { promotion }) }
  if (!approved || waiting.kind !== 'changed') return review
  const files = skill && (await gateway.skillChanges(waiting.name))
  return {
    ...review,
    changes: definitionChanges(approved, tool),
    ...(files && { files }),
  }
}

function printReview(
  terminal: Terminal,
  { name, server, kind, definition, changes, files: changedFiles = [], promotion }: Review,
): void {
  terminal.print(
    `${paint(terminal, 'bold', name)}  ${paint(terminal, 'yellow', kind)}  from ${server}`,
  )
  if (kind === 'blocked') {
    terminal.print('')
    return
  }
  if (!changes && kind === 'changed') {
    terminal.print('  The approved definition is no longer stored.')
  }
  for (const { path, removed, added } of changes ?? newDefinition(definition)) {
    terminal.print(`  ${plain(path)}`)
    for (const line of removed) terminal.print(paint(terminal, 'red', `  - ${plain(line)}`))
    for (const line of added) terminal.print(paint(terminal, 'green', `  + ${plain(line)}`))
  }
  for (const file of changedFiles) printFile(terminal, file)
  const files = changes ? [] : filesOf(definition)
  if (files.length > 0) terminal.print(`  Files: ${files.map(plain).join(', ')}`)
  if (promotion !== undefined) {
    const text = `  Promotes itself or gives orders to the model: "${plain(promotion)}"`
    terminal.print(paint(terminal, 'yellow', text))
  }
  if (isSkillName(name)) terminal.print(`  Read it with: toolsearch skills ${plain(name)}`)
  terminal.print('')
}

function printFile(terminal: Terminal, { path, kind, diff = [], note }: FileChange): void {
  terminal.print(`  ${plain(path)}  ${kind}`)
  for (const line of diff) {
    const text = `  ${plainLines(line)}`
    const colour = { '-': 'red', '+': 'green', '@': 'dim' }[line[0]!] as Parameters<typeof paint>[1]
    terminal.print(colour ? paint(terminal, colour, text) : text)
  }
  if (note !== undefined) terminal.print(`  ${plain(note)}`)
}

/** The URIs of the files of a skill. */
function filesOf({ name, skill }: McpTool): string[] {
  if (!name.startsWith('skill:') || !isObject(skill)) return []
  const { resources } = skill
  return Array.isArray(resources) ? resources.map(({ uri }) => String(uri)) : []
}

function printAdvice(terminal: Terminal, waiting: readonly Review[]): void {
  const undecided = waiting.filter(({ kind }) => kind !== 'blocked')
  if (undecided.length === 0) return
  const [first] = undecided
  terminal.say(
    `${countTools(undecided.map(({ name }) => name))} ${undecided.length === 1 ? 'waits' : 'wait'} for approval. To decide:\n` +
      `  toolsearch accept ${first!.name}\n` +
      `  toolsearch block ${first!.name}\n` +
      `  toolsearch accept --server ${first!.server}\n` +
      '  toolsearch accept --all',
  )
}
