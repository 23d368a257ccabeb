import type { IdentityConfig } from '../config/team-config.ts'
import { profileIn } from './profile-in.ts'
import { PROOF_ALGORITHMS } from './proof-check.ts'
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

/** Whether agents connect to a path. */
export function isForAgents(path: string): boolean {
  return resourcePath(path) !== ''
}

/** Serves protected resource metadata (RFC 9728): the same for every profile name, known or not. */
export function createResourceMetadata(config: IdentityConfig): {
  serves(path: string): boolean
  handle(request: Request, url: URL): Promise<Response>
} {
  const scopes = requestedScopes(config.issuers[0])
  const about = {
    authorization_servers: config.issuers.map(({ issuer, proxy }) => (proxy ? config.url : issuer)),
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: PROOF_ALGORITHMS,
    ...(scopes.length > 0 && { scopes_supported: scopes }),
    resource_name: 'toolsearch',
  }
  return {
    serves: (path) => describedResource(path) !== undefined,
    async handle(_, { pathname }) {
      const resource = describedResource(pathname) ?? ''
      return Response.json({ resource: `${config.url}${resource}`, ...about })
    },
  }
}

/** The path of the resource whose metadata is at this path. Undefined for other paths. */
function describedResource(path: string): string | undefined {
  if (path !== WELL_KNOWN && !path.startsWith(`${WELL_KNOWN}/`)) return undefined
  const resource = path.slice(WELL_KNOWN.length)
  return resource === '/' ? '' : resource === resourcePath(resource) ? resource : undefined
}
