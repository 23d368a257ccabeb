import { type AccessRule, RULE_EFFECTS, readAccessRules } from '../access/access-rules.ts'
import { matchesPattern } from '../access/name-pattern.ts'
import type { JsonValue, ServerConfig } from '../config/gateway-config.ts'
import { isObject, type JsonObject } from '../protocol/json-object.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import { isSkillName } from '../skills/skill-names.ts'
import { parameterNames } from './hide-parameters.ts'
import { type OfferPlan, overrideOf } from './offer-plan.ts'
import {
  aboutSkills,
  placeName,
  type SetupProblem,
  suggestion,
  unmatched,
} from './setup-problem.ts'
import { createValidateArguments } from './validate-arguments.ts'

/** What is wrong with the settings of a server, now that its tools are known. */
export function serverProblems(
  server: ServerConfig,
  tools: readonly McpTool[],
  plan: OfferPlan,
): SetupProblem[] {
  const names = tools.map(({ name }) => name)
  const known = new Set(names)
  const { allow = [], deny } = readAccessRules(server, 'server')
  const checkOwn = (key: 'allow' | 'deny') => (rule: AccessRule, index: number) => {
    const isMatched = rule.names.some(({ tool }) =>
      names.some((name) => matchesPattern(tool, name)),
    )
    if (rule.effect || isMatched) return []
    const path = ['toolsearch', key, index]
    if (isSkillName(rule.text)) return [aboutSkills(path, rule.text, server.name)]
    return [unmatched(path, rule.text, [...RULE_EFFECTS, ...names], server.name)]
  }
  const checkKeys = (key: 'hints' | 'overrides') =>
    Object.keys(server[key])
      .filter((name) => !known.has(name))
      .map((name) => unmatched(['toolsearch', key, name], name, names, server.name))
  return [
    ...server.disabledTools.flatMap((name, index) =>
      known.has(name) ? [] : [unmatched(['disabledTools', index], name, names, server.name)],
    ),
    ...allow.flatMap(checkOwn('allow')),
    ...deny.flatMap(checkOwn('deny')),
    ...checkKeys('hints'),
    ...checkKeys('overrides'),
    ...tools.flatMap((tool) => checkParameters(server, tool)),
    ...checkNames(server, tools, plan),
  ]
}

/** Tools that are not offered under the name that the server or the override gives them. */
function checkNames(
  server: ServerConfig,
  tools: readonly McpTool[],
  plan: OfferPlan,
): SetupProblem[] {
  return plan.offer(server.name, tools).renamed.map(({ name, tool }): SetupProblem => {
    const override = overrideOf(server, tool.name)?.name
    const owner = plan.names.ownerOf(server.name, override ?? tool.name)
    const path =
      override === undefined
        ? ['toolsearch', 'prefix']
        : ['toolsearch', 'overrides', tool.name, 'name']
    const subject =
      override === undefined
        ? `Tool ${JSON.stringify(tool.name)} of server ${JSON.stringify(server.name)}`
        : placeName(path, server.name, override)
    const reason =
      owner !== undefined
        ? `looks like a tool of server ${JSON.stringify(owner)}`
        : override === undefined
          ? 'has the same name as another tool'
          : 'is already the name of another tool'
    const message = `${subject} ${reason}, so it is offered as "${name}". Choose a name for it in "overrides", or add it to "deny".`
    return { kind: 'renamed', server: server.name, path, tool: name, message }
  })
}

/** Fixed parameters that the tool does not have, which hides it, or whose value it does not accept. */
function checkParameters(server: ServerConfig, tool: McpTool): SetupProblem[] {
  const fixed = Object.entries(overrideOf(server, tool.name)?.parameters ?? {})
  if (fixed.length === 0) return []
  const schema = isObject(tool.inputSchema) ? tool.inputSchema : {}
  const known = parameterNames(schema)
  return fixed.flatMap(([name, { value }]): SetupProblem[] => {
    const path = ['toolsearch', 'overrides', tool.name, 'parameters', name]
    const report = (problem: string): SetupProblem[] => {
      const message = `${placeName(path, server.name)} ${problem}`
      return [{ kind: 'override', server: server.name, path, message }]
    }
    if (!known.includes(name)) {
      const fix = suggestion(name, known, 'Correct or remove it.')
      return report(`is not a parameter of the tool, so the tool is hidden. ${fix}`)
    }
    const mistake = valueMistake(schema, name, value)
    return mistake === undefined ? [] : report(`has an invalid value: ${mistake}.`)
  })
}

/** What is wrong with the value of a parameter, judged by the schema of this parameter alone. */
function valueMistake(schema: JsonObject, name: string, value: JsonValue): string | undefined {
  const { $schema, $defs, definitions, properties } = schema
  if (!isObject(properties) || !Object.hasOwn(properties, name)) return undefined
  const only = { $schema, $defs, definitions, properties: { [name]: properties[name] } }
  const present = Object.entries(only).filter(([, part]) => part !== undefined)
  try {
    return createValidateArguments()(Object.fromEntries(present), { [name]: value })[0]
  } catch {
    // The schema is invalid, which is reported elsewhere.
    return undefined
  }
}
