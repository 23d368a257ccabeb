/** A cookie that scripts cannot read and that other sites cannot use. */
export interface Cookie {
  /** Its value in a `Cookie` header. */
  read(header: string | null | undefined): string | undefined
  /** The `Set-Cookie` header that sets it. */
  set(value: string, maxAgeSeconds: number): string
  /** The `Set-Cookie` header that removes it. */
  clear(): string
}

/** @param url the public address of the gateway */
export function createCookie(name: string, url: string): Cookie {
  const isSecure = url.startsWith('https:')
  // The prefix keeps other hosts of the domain from setting it.
  const fullName = isSecure ? `__Host-${name}` : name
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    read(header) {
      for (const pair of header?.split(';') ?? []) {
        const [key, value] = pair.split('=', 2)
        if (key?.trim() === fullName && value !== undefined) return value.trim()
      }
      return undefined
    },
    set: (value, maxAgeSeconds) => `${fullName}=${value}; Max-Age=${maxAgeSeconds}; ${attributes}`,
    clear: () => `${fullName}=; Max-Age=0; ${attributes}`,
  }
}
