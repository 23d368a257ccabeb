/** The Cedar engine: WebAssembly of 4 MB, which only gateways with policies load. */
export type CedarModule = typeof import('@cedar-policy/cedar-wasm/nodejs')

export async function loadCedarModule(): Promise<CedarModule> {
  return await import('@cedar-policy/cedar-wasm/nodejs')
}
