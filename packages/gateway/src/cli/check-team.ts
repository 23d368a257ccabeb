import { isPersonal } from '../accounts/account-servers.ts'
import { readEncryptionKeys } from '../accounts/encryption-keys.ts'
import { createSecretBox } from '../accounts/secret-box.ts'
import { unreadableAccounts } from '../accounts/unreadable-accounts.ts'
import type { GatewayConfig } from '../config/gateway-config.ts'
import { settingPlace } from '../config/setting-place.ts'
import { checkIssuer } from '../identity/check-issuer.ts'
import type { SetupProblem } from '../offering/setup-problem.ts'
import type { GatewayInternals } from '../open-internals.ts'

type Found = readonly [path: SetupProblem['path'], message: string]

/**
 * Settings for a team that cannot work as they are: what can only be known by trying, such as whether an
 * identity provider answers. Mistakes in the file itself are reported when it is read. Never rejects.
 */
export async function checkTeam(
  open: Pick<GatewayInternals, 'file' | 'config' | 'records' | 'state'>,
  stateFolder: string,
): Promise<readonly SetupProblem[]> {
  const { file, config } = open
  const found = await Promise.all([
    checkSignIn(config),
    checkStores(open),
    checkEncryption(open, stateFolder),
  ])
  return Promise.all(found.flat().map((each) => toProblem(file, each)))
}

/** The part of `checkTeam` that is cheap enough to be repeated while the gateway runs. Never rejects. */
export async function checkServices(
  open: Pick<GatewayInternals, 'file' | 'config' | 'records' | 'state'>,
): Promise<readonly SetupProblem[]> {
  const found = await Promise.all([checkSignIn(open.config), checkStores(open)])
  return Promise.all(found.flat().map((each) => toProblem(open.file, each)))
}

/** The part of `checkTeam` that `serve` reports at its start, without waiting for it. Never rejects. */
export async function checkIdentity(
  file: string,
  config: GatewayConfig,
): Promise<readonly SetupProblem[]> {
  const found = await checkSignIn(config)
  return Promise.all(found.map((each) => toProblem(file, each)))
}

/** What a person should know who serves over stdio. Undefined if no rule is for groups. */
export function stdioNote({ access }: Pick<GatewayConfig, 'access'>): string | undefined {
  const rules = (access?.rules ?? []).flatMap(({ groups, people }, index) =>
    groups && !people ? `toolsearch.access.rules[${index}]` : [],
  )
  if (rules.length === 0) return undefined
  const verb = rules.length === 1 ? 'applies' : 'apply'
  return (
    `Over stdio, the caller is the person at this machine, who is in no group: ${rules.join(', ')} never ${verb}. ` +
    'Serve over HTTP with toolsearch.identity, or add a rule without "groups".'
  )
}

async function toProblem(file: string, [path, message]: Found): Promise<SetupProblem> {
  const place = await settingPlace(file, path)
  return { kind: 'ineffective', path, message: `${place}: ${message}` }
}

async function checkSignIn({ identity }: GatewayConfig): Promise<Found[]> {
  if (!identity) return []
  const path = ['toolsearch', 'identity']
  const issuers = await Promise.all(
    identity.issuers.map(async (issuer, index): Promise<Found[]> => {
      const reason = await checkIssuer(issuer)
      const advice = 'Nobody can sign in with this issuer until it answers. Check the address.'
      return reason === undefined
        ? []
        : [[[...path, 'issuers', index, 'issuer'], `${reason} ${advice}`]]
    }),
  )
  return issuers.flat()
}

async function checkStores({
  config,
  state,
  records,
}: Pick<GatewayInternals, 'config' | 'state' | 'records'>): Promise<Found[]> {
  const [hasRedis, hasPostgres] = await Promise.all([
    config.state.redis === undefined || state.isAvailable(),
    records.unavailable === undefined && (records.postgres?.database.isAvailable() ?? true),
  ])
  const reason = records.unavailable ?? 'PostgreSQL cannot be reached.'
  const advice = 'Requests fail until it can be. Start it, or correct the URL.'
  return [
    ...(hasRedis
      ? []
      : [[['toolsearch', 'state', 'redis'], `Redis cannot be reached. ${advice}`] as const]),
    ...(hasPostgres ? [] : [[['toolsearch', 'state', 'postgres'], `${reason} ${advice}`] as const]),
  ]
}

async function checkEncryption(
  { config, records }: Pick<GatewayInternals, 'config' | 'records'>,
  stateFolder: string,
): Promise<Found[]> {
  const { encryption, servers, state } = config
  if (!encryption && !servers.some(isPersonal)) return []
  const path = ['toolsearch', 'encryption']
  try {
    const isShared = state.postgres !== undefined
    const box = createSecretBox(await readEncryptionKeys(encryption, { stateFolder, isShared }))
    const problem = records.accounts && (await unreadableAccounts(records.accounts, box))
    return problem === undefined ? [] : [[path, problem]]
  } catch (error) {
    // A store that cannot be reached is reported on its own.
    const { code, message } = error as { code?: unknown; message: string }
    return code === 'invalid_encryption_key' ? [[path, message]] : []
  }
}
