import type { IssuerConfig, IssuerPageConfig } from '../config/team-config.ts'

/** The client with which people sign in to the inspector. Undefined if they don't sign in with this issuer. */
export function clientOf({ page, proxy }: IssuerConfig): IssuerPageConfig | undefined {
  return page ?? proxy
}
