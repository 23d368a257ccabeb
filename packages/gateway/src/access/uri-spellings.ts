import { percentDecodings } from '../system/percent-encoding.ts'

/**
 * A URI in the ways in which a server may read it: as it is, decoded, and without `..`. A server that
 * resolves `file:///public/../secret` must not get it from somebody who may read `file:///public/*`.
 */
export function uriSpellings(uri: string): readonly string[] {
  const all = percentDecodings(uri).flatMap((decoded) => [
    decoded,
    ...(URL.canParse(decoded) ? percentDecodings(new URL(decoded).href) : []),
    resolveDots(decoded),
  ])
  return [...new Set(all)]
}

/** Also for URIs that URL cannot parse, and for backslashes. */
function resolveDots(uri: string): string {
  const segments: string[] = []
  for (const segment of uri.split(/[\\/]/)) {
    if (segment === '..') segments.pop()
    else if (segment !== '.') segments.push(segment)
  }
  return segments.join('/')
}
