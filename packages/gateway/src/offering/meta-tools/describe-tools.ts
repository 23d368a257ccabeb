import { isSkillName, nameOfUri } from '../../skills/skill-names.ts'
import { approvalNeeded } from '../approval-needed.ts'
import { failure, textBlock } from '../call-failure.ts'
import { describeSkill } from '../describe-skill.ts'
import type { CallOptions } from '../gateway-view.ts'
import { readerOf } from '../result-reader.ts'
import { toolNotes } from '../tool-notes.ts'
import { unknownSkill } from '../unknown-skill.ts'
import { type CallContext, type MetaTool, metaToolDefinition, READ_ONLY } from './meta-tool.ts'

export const DESCRIBE = 'describe_tools'

export const describeTools: MetaTool = {
  name: DESCRIBE,
  definition: () =>
    metaToolDefinition(
      DESCRIBE,
      'Get the full definitions of tools, or read skills and their files, by exact names. tool_search ' +
        'already shows all parameters (? optional, = default, limits in parentheses) and cuts long descriptions (…).',
      {
        properties: {
          names: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 20 },
        },
        required: ['names'],
      },
      READ_ONLY,
    ),
  async answer({ arguments: { names } }, options, context) {
    const { shared, tools, skills, listing, results, config, reportHidden } = context
    await shared.addAccepted()
    const given = typeof names === 'string' ? [names] : names
    if (!Array.isArray(given)) return failure('"names" must be a list of tool names.')
    // Skills link to each other with the URIs of the gateway.
    const wanted = given.map((name) => nameOfUri(String(name)) ?? String(name))
    const [read, others] = await readSkills(wanted, options, context)
    const found = wanted.flatMap((name) => tools.get(name) ?? [])
    const unknown = others.filter((name) => !tools.get(name))
    const withheld = unknown
      .flatMap((name) => tools.origin(name) ?? [])
      .map((origin) => approvalNeeded(shared, origin))
    const missing = unknown.filter((name) => !tools.origin(name))
    for (const name of missing) {
      if (isSkillName(name) && options.onDecision) skills.reportHidden(name, options.onDecision)
      else reportHidden(name, options)
    }
    const hints = missing.filter(isSkillName).map((name) => unknownSkill(name, skills))
    const definitions = found.map((tool) => ({
      ...listing.definition(tool),
      ...toolNotes(tool, context),
    }))
    const json = JSON.stringify({
      tools: definitions,
      ...(withheld.length > 0 && { withheld }),
      ...(missing.length > 0 && { missing }),
      ...(hints.length > 0 && { hints }),
    })
    const { resultChars } = config().limits
    if (json.length <= resultChars) options.onDefinitions?.(definitions)
    const hasTools = definitions.length + unknown.length > 0 || read.length === 0
    const content = [
      ...(hasTools ? [textBlock(json)] : []),
      ...read.map(({ text }) => textBlock(text)),
    ]
    const isError = !hasTools && read.every(({ isProblem }) => isProblem)
    return results.truncate(
      { content, ...(isError && { isError }) },
      resultChars,
      readerOf(options),
    )
  },
}

/** Reads the skills among the names. Returns their texts, and all other names. */
async function readSkills(
  names: readonly string[],
  options: CallOptions,
  { skills, tools, shared }: CallContext,
): Promise<[read: { text: string; isProblem: boolean }[], others: string[]]> {
  const read: { text: string; isProblem: boolean }[] = []
  const others: string[] = []
  const { signal } = options
  const request = signal ? { signal } : {}
  for (const name of names) {
    const found = isSkillName(name) ? await skills.fetch(name, request) : undefined
    if (!found) {
      others.push(name)
      continue
    }
    const hasTool = (tool: string) => tools.get(tool) !== undefined
    const given = { files: skills, hasTool, nameOf: shared.nameOf }
    const answer = await describeSkill(found, given, options)
    read.push({
      text: 'text' in answer ? answer.text : answer.problem,
      isProblem: 'problem' in answer,
    })
  }
  return [read, others]
}
