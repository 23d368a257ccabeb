import type { GatewayConfig } from '../config/gateway-config.ts'
import { type ApiKeys, createApiKeys, type NewKey } from '../identity/api-keys.ts'
import type { StoredKey } from '../identity/key-store.ts'
import { cacheFolder } from '../system/data-folders.ts'
import { canMatch, checkKeyScope } from './check-key-scope.ts'
import { type CommandCall, FAILED, OK } from './command.ts'
import { UsageError } from './command-errors.ts'
import { findConfig } from './find-config.ts'
import { count } from './format.ts'
import { openCommandRecords } from './open-command-records.ts'
import { plain, plainJson } from './plain.ts'
import { readExpiry } from './read-expiry.ts'
import { recordCommandAction } from './record-command-action.ts'

const ACTIONS =
  'Use toolsearch keys list, toolsearch keys create NAME or toolsearch keys revoke ID.'
const MAX_NAME = 100

/** Creates, lists or revokes API keys. @throws UsageError */
export async function runKeys(call: CommandCall): Promise<number> {
  const [action = 'list', subject, ...rest] = call.args
  if (rest.length > 0) throw new UsageError(`Unexpected argument "${rest[0]}". ${ACTIONS}`)
  const { config } = await findConfig(call, { needsServers: false })
  const request = action === 'create' ? readRequest(call, subject, config) : undefined
  if (action === 'revoke' && subject === undefined) {
    throw new UsageError('Which key? Run toolsearch keys list for the ids.')
  }
  const records = await openCommandRecords(call)
  const keys = createApiKeys(records.keys!)
  try {
    if (request) return await create(call, keys, request, config)
    if (action === 'revoke') return await revoke(call, keys, subject!)
    if (action === 'list' && subject === undefined) return await list(call, keys)
  } finally {
    await keys.close()
    await records.close()
  }
  throw new UsageError(`Unknown action "${action}". ${ACTIONS}`)
}

/** @throws UsageError */
function readRequest(
  { values }: CommandCall,
  name: string | undefined,
  { profiles }: GatewayConfig,
): NewKey {
  if (name === undefined || name.trim() === '' || name.length > MAX_NAME) {
    throw new UsageError('What is the key for? Run toolsearch keys create NAME.')
  }
  const { role = 'member' } = values
  if (role !== 'member' && role !== 'administrator') {
    throw new UsageError(`Invalid --role "${role}": use member or administrator.`)
  }
  const [allow, limitedTo] = [listOf(values.allow), listOf(values.profile)]
  const impossible = allow.find((text) => !canMatch(text))
  if (impossible !== undefined) {
    throw new UsageError(
      `--allow "${impossible}" can never match. Write the name of a tool, SERVER/NAME, SERVER/* or an effect such as read.`,
    )
  }
  const unknown = limitedTo.find((profile) => !Object.hasOwn(profiles, profile))
  if (unknown !== undefined) {
    const known = Object.keys(profiles).join(', ')
    const hint = known === '' ? 'The configuration has no profiles.' : `Profiles: ${known}.`
    throw new UsageError(`There is no profile "${unknown}". ${hint}`)
  }
  const expiresAt = readExpiry(values.expires ?? '90d', Date.now())
  const isLimited = allow.length > 0 || limitedTo.length > 0
  if (isLimited && role === 'administrator') {
    throw new UsageError(
      'A limited key cannot be that of an administrator. Remove --role administrator, or --allow and --profile.',
    )
  }
  return {
    name,
    role,
    groups: listOf(values.group),
    ...(isLimited && {
      scope: {
        ...(allow.length > 0 && { allow }),
        ...(limitedTo.length > 0 && { profiles: limitedTo }),
      },
    }),
    ...(expiresAt !== undefined && { expiresAt }),
  }
}

async function create(
  call: CommandCall,
  keys: ApiKeys,
  request: NewKey,
  config: GatewayConfig,
): Promise<number> {
  const { values, terminal, env } = call
  const { identity } = config
  for (const warning of await checkKeyScope(config, cacheFolder(env), request.scope?.allow ?? [])) {
    terminal.say(plain(`Warning: ${warning}`))
  }
  const { key, stored } = await keys.create(request)
  await recordCommandAction(call, { action: 'key.create', names: [stored.id] })
  if (values.json) terminal.print(plainJson({ key, ...reportOf(stored) }, 2))
  else {
    terminal.print(key)
    const end =
      stored.expiresAt === undefined ? 'never expires' : `expires ${day(stored.expiresAt)}`
    terminal.say(plain(`Created key ${stored.id} for ${stored.name}; it ${end}.`))
    terminal.say('Store it now: only its hash is kept, and it cannot be shown again.')
    terminal.say('Send it as a bearer token: "Authorization: Bearer tsk_…".')
  }
  if (!identity?.apiKeys) {
    terminal.say(
      identity
        ? 'Gateways do not accept it while toolsearch.identity.apiKeys is false.'
        : 'Gateways accept API keys once toolsearch.identity is configured.',
    )
  }
  return OK
}

async function revoke(call: CommandCall, keys: ApiKeys, id: string): Promise<number> {
  const { values, terminal } = call
  const isRevoked = await keys.revoke(id)
  await recordCommandAction(call, { action: 'key.revoke', names: isRevoked ? [id] : [] })
  if (values.json) terminal.print(plainJson({ id, isRevoked }, 2))
  else if (isRevoked) terminal.print(`Revoked ${id}. Gateways reject it within a second.`)
  else terminal.say(plain(`There is no valid key ${id}. Run toolsearch keys list.`))
  return isRevoked ? OK : FAILED
}

async function list({ values, terminal }: CommandCall, keys: ApiKeys): Promise<number> {
  const all = await keys.list()
  const shown = values.all ? all : all.filter((key) => stateOf(key) === 'valid')
  if (values.json) {
    terminal.print(plainJson(shown.map(reportOf), 2))
    return OK
  }
  for (const key of shown) terminal.print(plain(lineOf(key)))
  const hidden = all.length - shown.length
  if (all.length === 0) terminal.say('There are no keys. Create one: toolsearch keys create NAME.')
  else if (hidden > 0) {
    terminal.say(`${count(hidden, 'key')} expired or revoked. Use --all to list them.`)
  }
  return OK
}

function lineOf(key: StoredKey): string {
  const { id, name, role, groups, scope, createdAt, expiresAt, lastUsedAt } = key
  const state = stateOf(key)
  const facts = [
    role === 'administrator' ? role : '',
    groups.length > 0 ? `groups ${groups.join(', ')}` : '',
    scope?.allow ? `only ${scope.allow.join(', ')}` : '',
    scope?.profiles ? `only /mcp/p/${scope.profiles.join(', ')}` : '',
    `created ${day(createdAt)}`,
    state === 'valid' && expiresAt !== undefined ? `expires ${day(expiresAt)}` : '',
    lastUsedAt === undefined ? 'never used' : `last used ${day(lastUsedAt)}`,
    state === 'valid' ? '' : state,
  ]
  return `${id}  ${name}  (${facts.filter(Boolean).join('; ')})`
}

/** Without the hash, which nobody needs to see. */
function reportOf(key: StoredKey): object {
  const { hash: _, createdAt, expiresAt, revokedAt, lastUsedAt, ...about } = key
  return {
    ...about,
    state: stateOf(key),
    createdAt: iso(createdAt),
    ...(expiresAt !== undefined && { expiresAt: iso(expiresAt) }),
    ...(revokedAt !== undefined && { revokedAt: iso(revokedAt) }),
    ...(lastUsedAt !== undefined && { lastUsedAt: iso(lastUsedAt) }),
  }
}

function stateOf({ revokedAt, expiresAt }: StoredKey): 'valid' | 'revoked' | 'expired' {
  if (revokedAt !== undefined) return 'revoked'
  return expiresAt !== undefined && expiresAt <= Date.now() ? 'expired' : 'valid'
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function iso(at: number): string {
  return new Date(at).toISOString()
}

function day(at: number): string {
  return iso(at).slice(0, 10)
}
