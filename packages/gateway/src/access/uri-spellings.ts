import { decodePercent } from '../system/decode-percent.ts'

/**
 * A URI in the ways in which a server may read it: as it is, decoded, and without `..`. A server that
 * resolves `file:///public/../secret` must not get it from somebody who may read `file:///public/*`.
 */
export function uriSpellings(uri: string): readonly string[] {
  const decoded = decode(uri)
  return [...new Set([uri, decoded, normalize(uri), normalize(decoded), resolveDots(decoded)])]
}

function decode(uri: string): string {
  return decodePercent(uri) ?? uri
}

function normalize(uri: string): string {
  if (!URL.canParse(uri)) return uri
  const { href } = new URL(uri)
  return decode(href)
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
