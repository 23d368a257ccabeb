/** The command that signs in to a server. @example signInHint('a b') // 'toolsearch sign-in "a b"' */
export function signInHint(server: string): string {
  return `toolsearch sign-in ${/^[\w.-]+$/.test(server) ? server : JSON.stringify(server)}`
}
