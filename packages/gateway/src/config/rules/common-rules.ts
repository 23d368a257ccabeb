/** URLs over HTTP, with or without encryption. */
export const HTTP_URL: RegExp = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^/?#\s]/

/** URLs that must be encrypted, unless they stay on this machine. */
export const SAFE_URL: RegExp =
  /^(https:\/\/[^/?#\s]|http:\/\/(localhost|127\.[0-9.]+|\[::1\])([:/?#]|$))/

/** Texts with at least one visible character. */
export const NOT_EMPTY: RegExp = /\S/

export const UNDER_TOOLSEARCH = 'Move it under "toolsearch".'

/** The fix for a key that has another name here. */
export function rename(name: string): string {
  return `Rename it to "${name}".`
}

/** The longest delay that a Node.js timer supports; it fires immediately if set to more. */
export const MAX_MS = 2_147_483_647
