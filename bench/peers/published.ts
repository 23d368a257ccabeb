/**
 * Imports a package pinned in `bench/peers/package.json`. These packages are installed only when a
 * benchmark runs, so the name is not a literal that the compiler and knip would try to resolve. The
 * caller declares the types it uses.
 */
export async function published<Exports>(name: string): Promise<Exports> {
  return (await import(name)) as Exports
}
