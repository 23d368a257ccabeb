import { textOf } from '../../protocol/json-object.ts'
import { isSkillName, nameOfUri, placeOfSkill } from '../../skills/skill-names.ts'
import { approvalNeeded } from '../approval-needed.ts'
import { failure, textBlock } from '../call-failure.ts'
import { describeSkill } from '../describe-skill.ts'
import type { CallOptions } from '../gateway-view.ts'
import { readerOf } from '../result-reader.ts'
import { toolNotes } from '../tool-notes.ts'
import { unknownSkill } from '../unknown-skill.ts'
import { type CallContext, type MetaTool, metaToolDefinition, READ_ONLY } from './meta-tool.ts'

export const DESCRIBE = 'describe_tools'
/** Each can make a server read a skill. */
const MAX_NAMES = 20

export const describeTools: MetaTool = {
  name: DESCRIBE,
  definition: () =>
    metaToolDefinition(
      DESCRIBE,
      'Get the full definitions of tools, or read skills and their files, by exact names. tool_search ' +
        'already shows all parameters (? optional, = default, limits in parentheses) and cuts long descriptions (…).',
      {
        properties: {
          names: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: MAX_NAMES },
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
    if (given.length > MAX_NAMES) return failure(`Pass at most ${MAX_NAMES} names.`)
    // Skills link to each other with the URIs of the gateway.
    const wanted = given.map((name) => nameOfUri(textOf(name)) ?? textOf(name))
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

interface ReadSkill {
  readonly text: string
  readonly isProblem: boolean
}

/** Reads the skills among the names. Returns their texts, and all other names. */
async function readSkills(
  names: readonly string[],
  options: CallOptions,
  context: CallContext,
): Promise<[read: ReadSkill[], others: string[]]> {
  const read: ReadSkill[] = []
  const others: string[] = []
  const readNext = async (name: string, onSent: CallOptions['onSent']) => {
    const found = await readSkill(name, { ...options, onSent }, context)
    if (found) read.push(found)
    else others.push(name)
  }
  for (const name of names) {
    const server = isSkillName(name) ? placeOfSkill(name)?.server : undefined
    const isAsked = server !== undefined && context.servers.upstreams.has(server)
    if (!isAsked) others.push(name)
    // A call for one skill was counted for its server.
    else if (names.length === 1 || !options.readInner) await readNext(name, options.onSent)
    else {
      const target = { kind: 'skill', server, name } as const
      const refusal = await options.readInner(target, (onSent) => readNext(name, onSent))
      if (refusal !== undefined) read.push({ text: refusal, isProblem: true })
    }
  }
  return [read, others]
}

async function readSkill(
  name: string,
  options: CallOptions,
  { skills, tools, shared }: CallContext,
): Promise<ReadSkill | undefined> {
  const { signal, onSent } = options
  const found = await skills.fetch(name, { ...(signal && { signal }), onSent })
  if (!found) return undefined
  const hasTool = (tool: string) => tools.get(tool) !== undefined
  const given = { files: skills, hasTool, nameOf: shared.nameOf }
  const answer = await describeSkill(found, given, options)
  return 'text' in answer
    ? { text: answer.text, isProblem: false }
    : { text: answer.problem, isProblem: true }
}
