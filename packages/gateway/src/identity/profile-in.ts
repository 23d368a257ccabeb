import { decodePercent } from '../system/percent-encoding.ts'

const PROFILE_PATH = /^\/mcp\/p\/([^/]+)$/

/** The name of the profile in a path such as `/mcp/p/NAME`. Undefined for other paths. */
export function profileIn(path: string): string | undefined {
  const name = PROFILE_PATH.exec(path)?.[1]
  return name === undefined ? undefined : decodePercent(name)
}
