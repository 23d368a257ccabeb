import type { IssuerConfig } from '../config/team-config.ts'
import { fetchJson } from './fetch-json.ts'
import { createIssuerMetadata } from './issuer-metadata.ts'

/** Why tokens of an issuer could not be checked now. Undefined if they could. Never rejects. */
export async function checkIssuer({ issuer, jwksUrl }: IssuerConfig): Promise<string | undefined> {
  try {
    const url = jwksUrl ?? (await createIssuerMetadata(issuer)()).jwks_uri
    const { status, body } = await fetchJson(url)
    const { keys } = (body ?? {}) as { keys?: unknown }
    if (status === 200 && Array.isArray(keys) && keys.length > 0) return undefined
    return `${url} contains no keys.`
  } catch (error) {
    return (error as Error).message
  }
}
