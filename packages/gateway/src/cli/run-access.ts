import {
  type AccessExplanation,
  type AccessQuestion,
  explainAccess,
} from '../access/explain-access.ts'
import type { GatewayConfig } from '../config/gateway-config.ts'
import type { Caller } from '../identity/caller.ts'
import { type Person, personId } from '../identity/person.ts'
import {
  type AccessReport,
  accessReport,
  type PersonalServers,
} from '../inspection/access-report.ts'
import { personalServers } from '../inspection/personal-servers.ts'
import type { Gateway } from '../offering/gateway.ts'
import type { ToolOrigin } from '../offering/synced-tools.ts'
import { judged } from '../offering/visible-tools.ts'
import { isObject, type JsonObject } from '../protocol/json-object.ts'
import { isSkillName } from '../skills/skill-names.ts'
import { cacheFolder } from '../system/data-folders.ts'
import { type CommandCall, FAILED, OK, type OptionValue, type Terminal } from './command.ts'
import { UsageError } from './command-errors.ts'
import { count, paint } from './format.ts'
import { plain, plainJson } from './plain.ts'
import { unknownTools } from './unknown-tools.ts'
import { withGateway } from './with-gateway.ts'

const TOOLS_UNKNOWN =
  'The tools of a server with credentials of people are known only after somebody has connected to it.'

/** Resolves to 1 if the person may not use what the command asks about. */
export function runAccess(call: CommandCall): Promise<number> {
  const { values, args, terminal } = call
  return withGateway(
    call,
    async ({ gateway, access, apiKeys }) => {
      const described = readCaller(values, gateway.config)
      // A key has groups and a scope of its own.
      const owner = await apiKeys?.ownerOf(String(values.as ?? ''))
      const groups = [...(owner?.groups ?? []), ...described.person.groups]
      const caller = owner ? { ...described, person: { ...owner, groups } } : described
      const personal = await personalServers(gateway, cacheFolder(call.env))
      const question = readQuestion(call, gateway, personal)
      if (!question) {
        const report = accessReport(access, gateway, caller, personal)
        if (values.json) terminal.print(plainJson(report, 2))
        else printReport(terminal, report)
        return OK
      }
      const explanation = explainAccess(access, caller, question)
      const unknown = 'tool' in question && personal.unknown.includes(question.tool.server)
      if (unknown) terminal.say(`${TOOLS_UNKNOWN} Decided by name, as a tool without annotations.`)
      if (values.json) terminal.print(plainJson({ person: caller.person.id, ...explanation }, 2))
      else printExplanation(terminal, args[0] ?? nameOf(question), explanation)
      return explanation.isAllowed ? OK : FAILED
    },
    values.refresh ? 'all' : 'unknown',
  )
}

/** The person that the options describe. */
function readCaller(values: CommandCall['values'], config: GatewayConfig): Caller {
  const { as = 'somebody', email, group = [], profile } = values
  if (typeof profile === 'string' && !Object.hasOwn(config.profiles, profile)) {
    throw new UsageError(`There is no profile "${profile}" in the configuration.`)
  }
  const space = String(as).indexOf(' ')
  const [known] = config.identity?.issuers ?? []
  const issuer = space < 0 ? (known?.issuer ?? 'local') : String(as).slice(0, space)
  const subject = String(as).slice(space + 1)
  const person: Person = {
    id: personId(issuer, subject),
    issuer,
    subject,
    ...(typeof email === 'string' && { email: email.toLowerCase() }),
    groups: [group].flat().map(String),
    role: 'member',
  }
  return { person, ...(typeof profile === 'string' && { profile }) }
}

function readQuestion(
  { values, args }: CommandCall,
  gateway: Gateway,
  personal: PersonalServers,
): AccessQuestion | undefined {
  const { resource, prompt } = values
  const [name] = args
  if ([name, resource, prompt].filter((given) => given !== undefined).length > 1) {
    throw new UsageError('Ask about one tool, resource or prompt at a time.')
  }
  if (typeof resource === 'string') {
    const [server, uri] = splitPlace(resource, gateway.config, '--resource')
    return { resource: { server, uri } }
  }
  if (typeof prompt === 'string') {
    const [server, own] = splitPlace(prompt, gateway.config, '--prompt')
    return { prompt: { server, name: own } }
  }
  const given = readArguments(values.arguments)
  if (name === undefined) {
    if (given) throw new UsageError('Name the tool that gets the arguments.')
    return undefined
  }
  const isMeant = (each: ToolOrigin) =>
    each.name === name || `${each.server}/${each.tool.name}` === name
  const origin = gateway.origin(shownName(name, gateway)) ?? personal.known.find(isMeant)
  if (!origin) {
    const server = personal.unknown.find((each) => name.startsWith(`${each}/`))
    if (server !== undefined) {
      const own = name.slice(server.length + 1)
      return { tool: { server, name: own, annotations: {} }, args: given }
    }
    const problem = unknownTools(gateway, [name], values.refresh === true)
    throw new UsageError(problem ?? `There is no tool "${name}".`)
  }
  const { server, skill } = origin
  if (skill) return { skill: { server, name: skill.path } }
  return { tool: judged(origin), args: given }
}

/** The name that agents see of a tool that is named as in rules. */
function shownName(name: string, { toolSearch, origin }: Gateway): string {
  if (toolSearch.catalogue.has(name)) return name
  const tools = toolSearch.catalogue.tools()
  const found = tools.find((tool) => {
    const known = origin(tool.name)
    return known && `${known.server}/${known.tool.name}` === name
  })
  return found?.name ?? name
}

/** Names of servers may contain slashes. */
function splitPlace(
  text: string,
  { servers }: GatewayConfig,
  option: string,
): readonly [server: string, name: string] {
  const server = servers.find(({ name }) => text.startsWith(`${name}/`))
  if (!server) throw new UsageError(`${option} must start with the name of a server and a slash.`)
  return [server.name, text.slice(server.name.length + 1)]
}

function readArguments(text: OptionValue): JsonObject | undefined {
  if (typeof text !== 'string') return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {
    // reported below
  }
  throw new UsageError('--arguments must be a JSON object.')
}

function nameOf(question: AccessQuestion): string {
  if ('resource' in question) return `${question.resource.server}/${question.resource.uri}`
  if ('skill' in question) return `skill:${question.skill.server}/${question.skill.name}`
  const { server, name } = 'prompt' in question ? question.prompt : question.tool
  return `${server}/${name}`
}

function printReport(terminal: Terminal, { tools: all, servers }: AccessReport): void {
  for (const { name, server, tool, isAllowed, reason, withArguments } of all) {
    const sign = isAllowed ? paint(terminal, 'green', '✓') : paint(terminal, 'red', '✗')
    const why = withArguments ? `with arguments: ${alternatives(withArguments)}` : reason
    const rule = isSkillName(name) ? name : `${server}/${tool}`
    terminal.print(`${sign} ${plain(rule)}  ${paint(terminal, 'dim', plain(why))}`)
  }
  for (const { server, allows, reason } of servers) {
    const sign =
      allows === 'all'
        ? paint(terminal, 'green', '✓')
        : allows === 'some'
          ? paint(terminal, 'yellow', '?')
          : paint(terminal, 'red', '✗')
    const why = allows === 'some' ? 'depends on the tool' : reason
    terminal.print(`${sign} ${plain(`${server}/*`)}  ${paint(terminal, 'dim', plain(why))}`)
  }
  const skills = all.filter(({ name }) => isSkillName(name))
  const tools = all.filter(({ name }) => !isSkillName(name))
  const allowed = (list: AccessReport['tools']) => list.filter(({ isAllowed }) => isAllowed).length
  const more =
    skills.length > 0 ? `, and ${allowed(skills)} of ${count(skills.length, 'skill')}` : ''
  terminal.say(`${allowed(tools)} of ${count(tools.length, 'tool')} allowed${more}.`)
  if (servers.length > 0) {
    const names = servers.map(({ server }) => server).join(', ')
    terminal.say(plain(`Not counted: ${names}. ${TOOLS_UNKNOWN}`))
  }
}

function alternatives(texts: readonly string[]): string {
  return texts.join(', or ')
}

function printExplanation(
  terminal: Terminal,
  name: string,
  { isAllowed, reason, parts, withArguments }: AccessExplanation,
): void {
  const verdict = isAllowed
    ? paint(terminal, 'green', withArguments ? 'allowed with arguments' : 'allowed')
    : paint(terminal, 'red', 'not allowed')
  terminal.print(`${paint(terminal, 'bold', plain(name))}  ${verdict}  ${plain(reason)}`)
  for (const text of withArguments ?? []) terminal.print(`  if ${plain(text)}`)
  if (parts.length < 2) return
  for (const part of parts) {
    const sign = part.isAllowed ? paint(terminal, 'green', '✓') : paint(terminal, 'red', '✗')
    terminal.print(`  ${sign} ${part.by}: ${plain(part.reason)}`)
  }
}
