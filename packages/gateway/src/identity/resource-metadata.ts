import type { IdentityConfig } from '../config/team-config.ts'
import { profileIn } from './profile-in.ts'
import { requestedScopes } from './requested-scopes.ts'

const WELL_KNOWN = '/.well-known/oauth-protected-resource'
const MCP = '/mcp'

/** The resource that a path belongs to: an address for agents, or the gateway as a whole. */
function resourcePath(path: string): string {
  return path === MCP || profileIn(path) !== undefined ? path : ''
}

/** Where the metadata of the resource at a path is. */
export function metadataUrl(url: string, path: string): string {
  return `${url}${WELL_KNOWN}${resourcePath(path)}`
}

/**
 * The values of `aud` with which a token is for the resource at a path. A token for the whole gateway
 * is good for all addresses, a token for a profile only for the address of the profile.
 */
export function audiencesOf(url: string, path: string): readonly string[] {
  const own = resourcePath(path)
  const all = [url, `${url}/`, `${url}${MCP}`]
  return own === '' || own === MCP ? all : [...all, `${url}${own}`]
}

/** The path of the resource whose metadata is at this path. Undefined for other paths. */
export function describedResource(path: string): string | undefined {
  if (path !== WELL_KNOWN && !path.startsWith(`${WELL_KNOWN}/`)) return undefined
  const resource = path.slice(WELL_KNOWN.length)
  return resource === '/' ? '' : resource === resourcePath(resource) ? resource : undefined
}

/** Protected resource metadata (RFC 9728). The same for every profile name, known or not. */
export function resourceMetadata(config: IdentityConfig, resource: string): object {
  const scopes = requestedScopes(config.issuers[0])
  return {
    resource: `${config.url}${resource}`,
    authorization_servers: config.issuers.map(({ issuer, proxy }) => (proxy ? config.url : issuer)),
    bearer_methods_supported: ['header'],
    ...(scopes.length > 0 && { scopes_supported: scopes }),
    resource_name: 'toolsearch',
  }
}
