import { join } from 'node:path'
import { isPersonal } from '../accounts/account-servers.ts'
import { knownFromPeople } from '../accounts/known-from-people.ts'
import type { GatewayConfig, ServerConfig } from '../config/gateway-config.ts'
import { planOffer } from '../offering/offer-plan.ts'
import { findSetupProblems } from '../offering/setup-problems.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import { createManifestCache } from '../upstreams/manifest-cache.ts'

/** Whether an entry of `allow` could match anything at all. */
export function canMatch(entry: string): boolean {
  const name = entry.replace(/^(?:tool|resource|prompt):/, '')
  return name !== '' && name === name.trim() && !name.startsWith('/') && !name.endsWith('/')
}

/**
 * What is wrong with the entries that a new API key is limited to: those that match nothing, as far as the
 * cached tools tell. The key is still useful, because tools may be added later.
 */
export async function checkKeyScope(
  config: GatewayConfig,
  cacheFolder: string,
  allow: readonly string[],
): Promise<readonly string[]> {
  // The file of another machine may contain no servers, and says nothing about them.
  if (allow.length === 0 || config.servers.length === 0) return []
  const manifests = new Map<string, readonly McpTool[]>()
  for (const server of config.servers.filter(({ disabled }) => !disabled)) {
    const tools = await cachedTools(server, join(cacheFolder, 'manifests'))
    if (tools.length > 0) manifests.set(server.name, tools)
  }
  const scope = {
    ...config,
    deny: [],
    allow: [],
    pins: [],
    profiles: {},
    rateLimits: [],
    access: { rules: [{ allow }], cedar: [] },
  }
  return findSetupProblems(scope, planOffer(scope), manifests)
    .filter(({ path }) => path[1] === 'access')
    .map(({ message }) => message.replace(/^\S+/, '--allow'))
}

async function cachedTools(server: ServerConfig, folder: string): Promise<readonly McpTool[]> {
  if (isPersonal(server)) return (await knownFromPeople(join(folder, 'people'), server.name)).tools
  return (await createManifestCache(folder).read(server.name))?.tools ?? []
}
