/**
 * Imports a package that `bench/peers/package.json` pins. The name is no literal, so that types,
 * knip and editors do not look for what is only installed when the bench is run; the caller
 * declares the few things it uses.
 */
export async function published<Exports>(name: string): Promise<Exports> {
  return (await import(name)) as Exports
}
