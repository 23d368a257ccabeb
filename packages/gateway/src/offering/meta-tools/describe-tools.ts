import { approvalNeeded } from '../approval-needed.ts'
import { failure, textBlock } from '../call-failure.ts'
import { readerOf } from '../result-reader.ts'
import { toolNotes } from '../tool-notes.ts'
import { type MetaTool, metaToolDefinition, READ_ONLY } from './meta-tool.ts'

export const DESCRIBE = 'describe_tools'

export const describeTools: MetaTool = {
  name: DESCRIBE,
  definition: () =>
    metaToolDefinition(
      DESCRIBE,
      'Get the full definitions of tools by their exact names. tool_search already shows all ' +
        'parameters (? optional, = default, limits in parentheses) and cuts long descriptions (…).',
      {
        properties: {
          names: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 20 },
        },
        required: ['names'],
      },
      READ_ONLY,
    ),
  async answer({ arguments: { names } }, options, context) {
    const { shared, tools, listing, results, config, reportHidden } = context
    await shared.addAccepted()
    const wanted = typeof names === 'string' ? [names] : names
    if (!Array.isArray(wanted)) return failure('"names" must be a list of tool names.')
    const found = wanted.flatMap((name) => tools.get(String(name)) ?? [])
    const others = wanted.map(String).filter((name) => !tools.get(name))
    const withheld = others
      .flatMap((name) => tools.origin(name) ?? [])
      .map((origin) => approvalNeeded(shared, origin))
    const missing = others.filter((name) => !tools.origin(name))
    for (const name of missing) reportHidden(name, options)
    const definitions = found.map((tool) => ({
      ...listing.definition(tool),
      ...toolNotes(tool, context),
    }))
    const json = JSON.stringify({
      tools: definitions,
      ...(withheld.length > 0 && { withheld }),
      ...(missing.length > 0 && { missing }),
    })
    const { resultChars } = config().limits
    if (json.length <= resultChars) options.onDefinitions?.(definitions)
    return results.truncate({ content: [textBlock(json)] }, resultChars, readerOf(options))
  },
}
