const KEY = 'toolsearch-token'

/** Keeps the token until the tab is closed, or without storage until the page is reloaded. */
export interface TokenStore {
  get(): string | undefined
  set(token: string): void
  clear(): void
}

export function createTokenStore(storage: Storage | undefined): TokenStore {
  let token = storage?.getItem(KEY) ?? undefined
  return {
    get: () => token,
    set(next) {
      token = next
      storage?.setItem(KEY, next)
    },
    clear() {
      token = undefined
      storage?.removeItem(KEY)
    },
  }
}
