/** The browser's storage, or `undefined` if it is blocked. */
export function storageOf(kind: 'localStorage' | 'sessionStorage'): Storage | undefined {
  try {
    return window[kind]
  } catch {
    return undefined
  }
}
