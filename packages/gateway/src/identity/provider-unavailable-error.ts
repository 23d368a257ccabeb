/** The identity provider does not answer, or not as it should. */
export class ProviderUnavailableError extends Error {
  override readonly name = 'ProviderUnavailableError'
  readonly code = 'provider_unavailable'
}
