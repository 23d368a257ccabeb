const KEY = 'toolsearch-token'

/** The token lives as long as the tab. Without storage it lives as long as the page. */
export interface TokenStore {
  get(): string | undefined
  set(token: string): void
}

export function createTokenStore(storage: Storage | undefined): TokenStore {
  let token = storage?.getItem(KEY) ?? undefined
  return {
    get: () => token,
    set(next) {
      token = next
      storage?.setItem(KEY, next)
    },
  }
}
